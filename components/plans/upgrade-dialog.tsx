'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { PeriodChoice } from './period-choice'
import { PlanComparison } from './plan-comparison'
import { useUpgrade } from './use-upgrade'

const PHASES = { idle: 'Upgrade to Pro', processing: 'Processing...', redirecting: 'Redirecting…' } as const

type UpgradeDialogProps = { isOpen: boolean; onOpenChange: (isOpen: boolean) => void }

/** The upgrade dialog (docs/product.md#upgrade-dialog). */
export function UpgradeDialog({ isOpen, onOpenChange }: UpgradeDialogProps) {
  const [period, setPeriod] = useState<BillingPeriod>('yearly')
  const { phase, upgrade } = useUpgrade(subscriptionToasts.upgradeFailed)
  return (
    <Dialog open={isOpen} onOpenChange={onOpenChange}>
      <DialogSheet
        title="Choose Your Plan"
        description="Change or cancel anytime. Full refund within 14 days."
        footer={
          <>
            <Button variant="outline" onClick={() => onOpenChange(false)}>
              Not now
            </Button>
            <Button disabled={phase !== 'idle'} onClick={() => void upgrade(period)}>
              {PHASES[phase]}
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <PeriodChoice value={period} onChange={setPeriod} isDisabled={phase !== 'idle'} />
          <PlanComparison />
        </div>
      </DialogSheet>
    </Dialog>
  )
}
