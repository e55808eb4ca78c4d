import type { DropView } from '@/lib/drops/view'
import { formatUsd } from '@/lib/kernel/money'
import { DropCover } from './drop-cover'
import { TimeLeft } from './time-left'

/** A drop in a list: its picture, its fuse and its price. */
export function PublicDropCard({ drop }: { drop: DropView }) {
  return (
    <a href={`/drop/${drop.identifier}`} className="group grid content-start gap-3">
      <DropCover drop={drop} />
      <div>
        <h3 className="text-lg leading-snug font-bold group-hover:underline">{drop.title}</h3>
        <p className="tabular flex flex-wrap gap-x-3 text-sm">
          <span className="font-semibold">{formatUsd(drop.priceCents)}</span>
          <TimeLeft endTime={drop.endTime} serverTime={drop.serverTime} />
        </p>
      </div>
    </a>
  )
}
