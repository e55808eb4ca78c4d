'use client'

import { useEffect } from 'react'

/**
 * Used on every screen except the dashboard. The upgrade event leads to the dashboard, which opens the dialog
 * (docs/product.md#upgrade-dialog).
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
