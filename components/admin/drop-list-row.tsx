import { ImageOff, SlidersHorizontal, Trash2 } from 'lucide-react'
import { DropImage } from '@/components/drops/drop-image'
import { LocalTime } from '@/components/drops/local-time'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import type { AdminDropView } from '@/lib/admin/view'
import { formatUsd } from '@/lib/kernel/money'
import { productTypeLabels } from '@/lib/kernel/product-type'
import { formatCount } from '@/lib/kernel/format-count'

type DropRowProps = { drop: AdminDropView; onManage: () => void; onDelete: () => void }

/**
 * The whole row links to the drop's page, unless the drop was deleted. The buttons lie above that link, so that
 * pressing them does not open the page.
 */
export function DropListRow({ drop, onManage, onDelete }: DropRowProps) {
  const [image] = drop.images
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-sunken lg:py-2">
      <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-control bg-sunken lg:size-11">
        {image ? (
          <DropImage image={image} alt="" sizes="56px" />
        ) : (
          <ImageOff aria-hidden className="size-5 text-muted" />
        )}
      </span>
      <div className="grid min-w-0 flex-1 gap-1 lg:grid-cols-[minmax(0,1fr)_19rem_19rem] lg:items-center lg:gap-4">
        <p className="min-w-0 font-semibold">
          {drop.isRemoved ? (
            drop.title
          ) : (
            <a href={`/drop/${drop.identifier}`} className="after:absolute after:inset-0 hover:underline">
              {drop.title}
            </a>
          )}
        </p>
        <p className="flex flex-wrap gap-1.5">
          <Badge variant="secondary">{productTypeLabels[drop.productType]}</Badge>
          {drop.isRemoved ? (
            <Badge variant="destructive">Deleted</Badge>
          ) : drop.isActive ? (
            <Badge variant={drop.state === 'upcoming' ? 'outline' : 'good'}>
              {drop.state === 'upcoming' ? 'Scheduled' : 'Active'}
            </Badge>
          ) : (
            <Badge variant="secondary">Inactive</Badge>
          )}
          {drop.isFeatured ? <Badge variant="default">Featured</Badge> : null}
          {drop.isPinned ? <Badge variant="default">Pinned</Badge> : null}
          {drop.moderation === 'review' ? <Badge variant="warn">In review</Badge> : null}
          {drop.moderation === 'refused' ? <Badge variant="destructive">Refused</Badge> : null}
        </p>
        <p className="tabular text-sm text-muted">
          {formatUsd(drop.priceCents)} · {formatCount(drop.views)} {drop.views === 1 ? 'view' : 'views'} · by @
          {drop.user.username ?? 'deleted'}
          <span className="block">
            {drop.state === 'upcoming' ? (
              <>
                Starts <LocalTime iso={drop.startedAt} /> ·{' '}
              </>
            ) : null}
            {drop.state === 'ended' ? 'Ended' : 'Ends'} <LocalTime iso={drop.endTime} />
          </span>
        </p>
      </div>
      <div className="relative z-10 flex shrink-0 flex-col lg:flex-row">
        <Button variant="ghost" size="icon" aria-label={`Manage ${drop.title}`} onClick={onManage}>
          <SlidersHorizontal aria-hidden />
        </Button>
        {drop.isRemoved ? null : (
          <Button variant="ghostDestructive" size="icon" aria-label={`Delete ${drop.title}`} onClick={onDelete}>
            <Trash2 aria-hidden />
          </Button>
        )}
      </div>
    </li>
  )
}
