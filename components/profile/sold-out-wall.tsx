import { Package } from 'lucide-react'
import { DropImage } from '@/components/drops/drop-image'
import type { DropView } from '@/lib/drops/view'
import { profileTexts, soldOutText } from '@/lib/profiles/messages'

export type SoldOutWallProps = {
  /** Drops that have ended, each with the units that its most recent sold-out run had. */
  drops: { drop: DropView; sold: number }[]
}

/** Shows the seller's sold-out drops on the public profile (docs/product.md#public-profile), or nothing without any. */
export function SoldOutWall({ drops }: SoldOutWallProps) {
  if (drops.length === 0) return null
  return (
    <section aria-labelledby="sold-out-heading" className="grid gap-5">
      <h2 id="sold-out-heading" className="text-2xl font-bold md:text-3xl">
        {profileTexts.wallTitle}
      </h2>
      <ul className="grid grid-cols-2 gap-x-4 gap-y-6 sm:grid-cols-3 lg:grid-cols-4">
        {drops.map(({ drop, sold }) => (
          <li key={drop.id}>
            <SoldOutCard drop={drop} sold={sold} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function SoldOutCard({ drop, sold }: { drop: DropView; sold: number }) {
  const [image] = drop.images
  return (
    <a href={`/drop/${drop.identifier}`} className="group grid content-start gap-2">
      <div className="grid aspect-square place-items-center overflow-hidden rounded-card bg-sunken">
        {image ? (
          <DropImage
            image={image}
            alt=""
            sizes="(min-width: 1024px) 16rem, (min-width: 640px) 30vw, 45vw"
            hasBlur={false}
            className="transition-transform duration-200 group-hover:scale-[1.02]"
          />
        ) : (
          <Package aria-hidden className="size-10 text-muted" strokeWidth={1.5} />
        )}
      </div>
      <div className="grid gap-0.5">
        <h3 className="leading-snug font-bold wrap-anywhere group-hover:underline">{drop.title}</h3>
        <p className="tabular text-sm text-muted">{soldOutText(sold)}</p>
      </div>
    </a>
  )
}
