'use client'

import { failureText } from '@/lib/client/call-api'
import { formatUsd } from '@/lib/kernel/money'
import { useUserDetail } from './use-user-detail'

/** Says how much a seller was already paid for the orders that are refunded when the account is deleted. */
export function PaidOutNote({ userId }: { userId: number }) {
  const { data, error } = useUserDetail(userId)
  const amount = data ? formatUsd(data.paidOutCents) : error ? failureText(error) : '…'
  return (
    <div role="status" className="grid gap-1 text-sm">
      <p className="tabular font-semibold">Already paid out: {amount}</p>
      {data && data.paidOutCents > 0 ? (
        <p>
          The seller has already received this amount for the orders we&apos;ll refund. We pay up to $500 of it in
          advance. Other refunds are sent only after the seller&apos;s Stripe account has returned the money.
          You&apos;ll find them under “Stuck”.
        </p>
      ) : null}
    </div>
  )
}
