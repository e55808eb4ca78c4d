'use client'

import { Button } from '@/components/ui/button'

/**
 * Shows sellers on the free plan what Pro offers. The button fires the event that opens the upgrade dialog
 * (docs/product.md#upgrade-dialog).
 */
export function UpgradeBanner() {
  return (
    <section
      aria-labelledby="upgrade-heading"
      className="flex flex-wrap items-center justify-between gap-4 rounded-card bg-ink p-5 text-paper"
    >
      <div className="grid gap-1">
        <h2 id="upgrade-heading" className="text-2xl font-bold">
          Three drops at once, 3% instead of 5%
        </h2>
        <p className="opacity-80">Digital goods, services, your own links and Live Analytics come with Pro.</p>
      </div>
      <Button variant="inverse" onClick={() => window.dispatchEvent(new Event('show-upgrade-modal'))}>
        Upgrade to Pro
      </Button>
    </section>
  )
}
