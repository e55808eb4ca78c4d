'use client'

import { useEffect } from 'react'

/**
 * Every page contains this component. It does nothing on the dashboard, which handles the upgrade event itself. On
 * other pages the event opens the dashboard, which then shows the upgrade dialog (docs/product.md#upgrade-dialog).
 */
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
