'use client'

import { useEffect } from 'react'
import { goToLoginAgain } from './use-upgrade'

/** Tells a visitor that the page is for sellers and sends them to sign in (docs/product.md#subscribe-page). */
export function LoggedOut() {
  useEffect(goToLoginAgain, [])
  return null
}
