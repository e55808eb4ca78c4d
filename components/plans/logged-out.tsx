'use client'

import { useEffect } from 'react'
import { goToLoginAgain } from './use-upgrade'

/** Tells a visitor that they are logged out and sends them to sign in (docs/product.md#subscribe-page). */
export function LoggedOut() {
  useEffect(goToLoginAgain, [])
  return null
}
