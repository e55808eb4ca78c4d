import { orderedSoFarText } from '@/lib/drops/editions/open-messages'
import { priceOf } from '@/lib/drops/delivery/zone-messages'
import type { DropView } from '@/lib/drops/view'
import { DropCover } from './drop-cover'
import { TimeLeft } from './time-left'

/** Shows a drop in a list, with its picture or icon, title, price and time left. */
export function PublicDropCard({ drop }: { drop: DropView }) {
  return (
    <a href={`/drop/${drop.identifier}`} className="group grid content-start gap-3">
      <DropCover drop={drop} />
      <div>
        <h3 className="text-lg leading-snug font-bold group-hover:underline">{drop.title}</h3>
        <p className="tabular flex flex-wrap gap-x-3 text-sm">
          <span className="font-semibold">{priceOf(drop)}</span>
          <TimeLeft endTime={drop.endTime} serverTime={drop.serverTime} />
          {drop.isOpenEdition ? <span>{orderedSoFarText(drop)}</span> : null}
        </p>
      </div>
    </a>
  )
}
