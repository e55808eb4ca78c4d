import { sellerName } from '@/lib/accounts/rules'
import { Countdown } from '@/components/drop-page/countdown'
import { DropImage } from '@/components/drops/drop-image'
import { Fuse } from '@/components/drops/fuse'
import { orderedSoFarText } from '@/lib/drops/editions/open-messages'
import { priceOf } from '@/lib/drops/delivery/zone-messages'
import type { DropView } from '@/lib/drops/view'
import { formatCount } from '@/lib/kernel/format-count'

/** Shows a real live drop as an example of what a visitor's own drop would look like. */
export function HeroDrop({ drop }: { drop: DropView }) {
  const [image] = drop.images
  return (
    <a
      href={`/drop/${drop.identifier}`}
      className="group block overflow-hidden rounded-card border bg-surface shadow-card transition-transform duration-200 md:rotate-[1.5deg] md:hover:rotate-0"
    >
      <Fuse startedAt={drop.startedAt} endTime={drop.endTime} serverTime={drop.serverTime} isThick />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3.5">
        <p className="grid gap-0.5">
          <span className="font-display text-lg leading-none font-bold">Live now</span>
          <span className="text-sm text-muted">It&apos;s gone when the clock runs out.</span>
        </p>
        <Countdown endTime={drop.endTime} serverTime={drop.serverTime} />
      </div>
      <div className="aspect-[4/5] overflow-hidden bg-sunken md:aspect-square">
        {image ? (
          <DropImage
            image={image}
            alt={drop.title}
            sizes="(min-width: 1152px) 28rem, (min-width: 768px) 40vw, 94vw"
            isHero
            className="transition-transform duration-200 group-hover:scale-[1.02]"
          />
        ) : null}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1 px-5 py-4">
        <h2 className="text-xl leading-snug font-bold group-hover:underline">{drop.title}</h2>
        <p className="tabular font-display text-xl font-bold">{priceOf(drop)}</p>
        <p className="text-sm text-muted">by {sellerName(drop.user)}</p>
        <p className="tabular text-end text-sm text-muted">
          {drop.isOpenEdition
            ? orderedSoFarText(drop)
            : `${formatCount(drop.available)} of ${formatCount(drop.quantity)} left`}
        </p>
      </div>
    </a>
  )
}

/** Replaces the example while no drop is live. */
export function NothingLive() {
  return (
    <div className="grid gap-2 rounded-card border bg-surface p-6 shadow-card">
      <div aria-hidden className="mb-3 h-1.5 overflow-hidden rounded-full bg-line">
        <div className="h-full w-full bg-ember" />
      </div>
      <h2 className="text-2xl font-bold">Nothing is live right now</h2>
      <p className="text-muted">Yours could be next.</p>
    </div>
  )
}
