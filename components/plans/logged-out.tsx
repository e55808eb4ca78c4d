'use client'

import { useEffect } from 'react'
import { goToLoginAgain } from './use-upgrade'

/** Shows visitors that they are signed out, and opens the sign-in page (docs/product.md#subscribe-page). */
export function LoggedOut() {
  useEffect(goToLoginAgain, [])
  return null
}
