import { DropImage } from '@/components/drops/drop-image'
import type { DropView } from '@/lib/drops/view'

/** A small version of a drop's main picture, shown beside its title. */
export function Thumbnail({ drop }: { drop: Pick<DropView, 'images'> }) {
  const [image] = drop.images
  return (
    <div className="aspect-[4/5] w-20 shrink-0 overflow-hidden rounded-control bg-sunken">
      {image ? <DropImage image={image} alt="" sizes="80px" /> : null}
    </div>
  )
}
