'use client'

import { useEffect } from 'react'

/** On every screen but the dashboard, whose host opens the dialog: the event leads there (SPEC §2). */
export function UpgradeElsewhere() {
  useEffect(() => {
    const go = () => {
      const { pathname, origin } = window.location
      if (pathname !== '/') window.location.assign(new URL('/?upgrade=true', origin))
    }
    window.addEventListener('show-upgrade-modal', go)
    return () => window.removeEventListener('show-upgrade-modal', go)
  }, [])
  return null
}
