'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LocalTime } from '@/components/drops/local-time'
import { CopyButton } from '@/components/drops/share-button'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LoadingBlock } from '@/components/ui/loading-block'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { codeTexts, codeToasts } from '@/lib/drops/codes/code-messages'
import { highestDiscount, MAX_CODES } from '@/lib/drops/codes/code-rules'
import type { DiscountCodeView } from '@/lib/drops/codes/code-view'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { DiscountCodeForm } from './discount-code-form'

const badges = {
  active: ['good', 'Active'],
  usedUp: ['default', 'Used up'],
  over: ['secondary', 'Expired'],
  ended: ['secondary', 'Ended'],
} as const

const codesKey = (dropId: number) => ['api', 'drops', dropId, 'codes'] as const

/** Lists a drop's discount codes with their uses and discounts, and shows a form while a new code is possible. */
export function DiscountCodes({ drop, timezone }: { drop: SellerDropView; timezone: string }) {
  const queryClient = useQueryClient()
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: codesKey(drop.id),
    queryFn: () => callApi<DiscountCodeView[]>('GET', `/api/drops/${drop.id}/codes`),
  })
  const reload = () => void refreshQueries(queryClient, codesKey(drop.id))
  if (error && !data) {
    return (
      <div className="grid justify-items-start gap-3 border-t p-4">
        <p role="alert" className="text-sm text-muted">
          We can&apos;t load your codes right now.
        </p>
        <Button variant="outline" size="sm" isBusy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    )
  }
  if (!data) return <LoadingBlock text="Loading your codes…" className="m-4 h-80" />
  const isFull = data.filter(({ state }) => state === 'active' || state === 'usedUp').length >= MAX_CODES
  return (
    <div className="grid gap-5 border-t p-4">
      {data.length === 0 ? (
        <p className="text-sm text-muted">
          Share a code with friends or followers, and they pay less. Nobody else sees the code.
        </p>
      ) : (
        <ul className="grid gap-3">
          {data.map((code) => (
            <CodeLine key={code.id} drop={drop} code={code} onEnded={reload} />
          ))}
        </ul>
      )}
      {drop.state === 'ended' ? null : !highestDiscount(drop.priceCents) ? (
        <p className="text-sm text-muted">{codeTexts.tooCheap}</p>
      ) : isFull ? (
        <p className="text-sm text-muted">{codeTexts.tooManyCodes}</p>
      ) : (
        <DiscountCodeForm drop={drop} timezone={timezone} onDone={reload} />
      )}
    </div>
  )
}

type CodeLineProps = { drop: SellerDropView; code: DiscountCodeView; onEnded: () => void }

function CodeLine({ drop, code, onEnded }: CodeLineProps) {
  const [isAsking, setIsAsking] = useState(false)
  const [tone, label] = badges[code.state]
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi<DiscountCodeView>('POST', `/api/drops/${drop.id}/codes/${code.id}/end`),
    onSuccess: () => toast(codeToasts.ended),
    onError: (error) => toast({ ...codeToasts.endFailed, description: failureText(error), tone: 'bad' }),
    onSettled: () => {
      setIsAsking(false)
      onEnded()
    },
  })
  return (
    <li className="grid gap-2 rounded-control border p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-display text-lg font-bold break-all">{code.code}</span>
        <Badge variant={tone}>{label}</Badge>
      </div>
      <p className="tabular text-sm">
        {code.percent === null ? formatUsd(code.offCents ?? 0) : `${code.percent}%`} off. Buyers pay{' '}
        {formatUsd(code.unitPriceCents)} each.
      </p>
      <p className="tabular text-sm text-muted">
        {usesText(code)} Discounts so far: {formatUsd(code.discountedCents)}.
        {code.perBuyer === null ? '' : ` ${code.perBuyer} per buyer.`}
        {code.endsAt === null ? null : (
          <>
            {' '}
            Until <LocalTime iso={code.endsAt} />.
          </>
        )}
      </p>
      {code.state === 'active' ? (
        <div className="flex flex-wrap gap-2">
          <CopyButton path={`/drop/${drop.identifier}?code=${code.code}`} label="Copy link" withWhat={code.code} />
          <Button variant="ghost" aria-label={`End now: ${code.code}`} onClick={() => setIsAsking(true)}>
            End now
          </Button>
        </div>
      ) : null}
      <ConfirmDialog
        title={`End ${code.code} now?`}
        text="New buyers can't use it anymore. Anyone already checking out keeps the lower price. You can't turn the code on again."
        keep="Keep it"
        confirm="End the code"
        isOpen={isAsking}
        isPending={isPending}
        onConfirm={() => mutate()}
        onClose={() => setIsAsking(false)}
      />
    </li>
  )
}

function usesText({ used, maxUses }: DiscountCodeView): string {
  const count = formatCount(used)
  if (maxUses !== null) return `Used ${count} of ${formatCount(maxUses)} times.`
  return `Used ${count} ${used === 1 ? 'time' : 'times'}.`
}
