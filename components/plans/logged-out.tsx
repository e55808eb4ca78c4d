'use client'

import { useEffect } from 'react'
import { goToLoginAgain } from './use-upgrade'

/** A visitor on a page for sellers only: told so and sent to log in (SPEC §6, Subscribe). */
export function LoggedOut() {
  useEffect(goToLoginAgain, [])
  return null
}
