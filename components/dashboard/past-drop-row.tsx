'use client'

import { Link2, RotateCcw, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { useServerSecond } from '@/lib/client/use-server-clock'
import { demandText, suggestionText } from '@/lib/drops/analytics/demand-messages'
import { countedText, keyTexts } from '@/lib/drops/keys/key-messages'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { isCanceled, relaunchText } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'
import { formatUsd } from '@/lib/kernel/money'
import { SECOND_MS } from '@/lib/kernel/time'
import { reviewTexts } from '@/lib/moderation/messages'
import { ConfirmDialog } from '@/components/ui/confirm-dialog'
import { LinkDialog } from './link-dialog'
import { RelaunchDialog } from './relaunch-dialog'
import { Thumbnail } from './thumbnail'
import { useDeleteDrop } from './use-delete-drop'

type PastDropRowProps = {
  drop: SellerDropView
  /** True when the seller has as many active drops as the plan allows, so that a relaunch would be refused. */
  isFull: boolean
}

/** Shows a drop that has ended, and how long the seller has to wait before a relaunch. */
export function PastDropRow({ drop, isFull }: PastDropRowProps) {
  const canRelaunch = drop.canRelaunch && !isFull
  return (
    <li
      id={`drop-${drop.id}`}
      className={cn(
        'scroll-mt-4 py-3 sm:flex sm:items-center sm:gap-4',
        canRelaunch ? 'grid grid-cols-1 gap-3' : 'flex items-center gap-2 max-[16rem]:grid max-[16rem]:grid-cols-1',
      )}
    >
      <div className="flex min-w-0 flex-1 items-center gap-3">
        <Thumbnail drop={drop} className="w-14" />
        <div className="grid min-w-0 flex-1 grid-cols-1">
          <div className="flex flex-wrap items-center gap-2">
            {drop.archivedAt === null ? (
              <Badge variant="destructive">Expired</Badge>
            ) : (
              <Badge variant="secondary">Archived</Badge>
            )}
            <Countdown drop={drop} />
          </div>
          <Link
            href={`/drop/${drop.identifier}`}
            className="-my-1.5 flex min-h-11 items-center font-semibold hover:underline"
          >
            <span className="line-clamp-2 leading-tight">{drop.title}</span>
          </Link>
          <p className="tabular text-sm text-muted">
            {formatCount(drop.purchases)} sold · {formatUsd(drop.revenueCents)}
            {drop.run > 1 ? ` in ${drop.run} runs` : null}
            {isCanceled(drop) ? null : (
              <>
                {' · '}
                <Link
                  href={`/recap/${drop.id}/${drop.run}`}
                  aria-label={`Recap of ${drop.title}`}
                  className="-my-3 inline-flex min-h-11 items-center px-1 text-ink underline underline-offset-4"
                >
                  Recap
                </Link>
              </>
            )}
          </p>
          <Demand drop={drop} />
          <UnusedKeys drop={drop} />
          {drop.canRelaunch && isFull ? (
            <p className="text-sm text-muted">You can relaunch this drop once one of your live drops ends.</p>
          ) : null}
        </div>
      </div>
      <Actions drop={drop} canRelaunch={canRelaunch} />
    </li>
  )
}

/** Shows the buttons of a drop that has ended, with the dialogs that they open. */
function Actions({ drop, canRelaunch }: { drop: SellerDropView; canRelaunch: boolean }) {
  const [open, setOpen] = useState<'relaunch' | 'link' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const removal = useDeleteDrop(drop.id, close)
  return (
    <>
      <div className={cn('flex gap-2', canRelaunch && 'max-sm:ps-17 max-[16rem]:ps-0')}>
        {canRelaunch ? (
          <Button size="sm" className="max-sm:flex-1" onClick={() => setOpen('relaunch')}>
            <RotateCcw aria-hidden />
            Relaunch Now
          </Button>
        ) : null}
        {drop.digitalFileUrl ? (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Change the link of ${drop.title}`}
            onClick={() => setOpen('link')}
          >
            <Link2 aria-hidden />
          </Button>
        ) : null}
        <Button variant="ghost" size="sm" aria-label={`Delete ${drop.title}`} onClick={() => setOpen('delete')}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {open === 'relaunch' ? <RelaunchDialog drop={drop} isOpen onClose={close} /> : null}
      {open === 'link' ? <LinkDialog drop={drop} onClose={close} /> : null}
      <ConfirmDialog
        title="Delete this drop?"
        text={`${drop.title} and its link are deleted permanently. Buyers keep their orders.`}
        keep="Keep it"
        confirm="Delete"
        isOpen={open === 'delete'}
        isPending={removal.isPending}
        onConfirm={() => removal.run()}
        onClose={close}
      />
    </>
  )
}

function Demand({ drop }: { drop: SellerDropView }) {
  const suggestion = drop.isOpenEdition ? '' : suggestionText(drop.waiting)
  const text = [demandText(drop.waiting, false), suggestion].filter(Boolean).join(' ')
  return text ? <p className="tabular text-sm font-semibold">{text}</p> : null
}

/** Says how many keys nobody bought, and links to a file with them. */
function UnusedKeys({ drop: { id, title, keys, returnsAt } }: { drop: SellerDropView }) {
  // With auto-renew, the next run sells the unused keys.
  if (!keys || keys.left === 0 || returnsAt !== null) return null
  return (
    <p className="tabular text-sm text-muted">
      {countedText(keys.left)} left ·{' '}
      <a
        href={`/recap/${id}/unused-keys.txt`}
        download
        aria-label={`${keyTexts.downloadUnused} of ${title}`}
        className="-mb-3 inline-flex min-h-11 items-center px-1 text-ink underline underline-offset-4"
      >
        {keyTexts.downloadUnused}
      </a>{' '}
      {keyTexts.keepOut}
    </p>
  )
}

/**
 * Shows "Xh Ym until relaunch", then "Ready to relaunch" (docs/product.md#relaunching). A drop that is in review or was
 * refused shows that instead, and an open edition says that it is closed forever.
 */
function Countdown({ drop }: { drop: SellerDropView }) {
  const second = useServerSecond(drop.serverTime)
  if (drop.isOpenEdition && drop.moderation === 'allowed')
    return <span className="text-xs text-muted">{openTexts.closedBadge}</span>
  const text =
    drop.moderation === 'allowed'
      ? relaunchText(new Date(drop.endTime), new Date(second * SECOND_MS))
      : drop.moderation === 'review'
        ? reviewTexts.badge
        : reviewTexts.refusedBadge
  return <span className="tabular text-xs text-muted">{text}</span>
}
