import { DropImage } from '@/components/drops/drop-image'
import type { DropView } from '@/lib/drops/view'

/** Shows a drop's first picture in a small size, for lists that also show the title. */
export function Thumbnail({ drop, className = 'w-20' }: { drop: Pick<DropView, 'images'>; className?: string }) {
  const [image] = drop.images
  return (
    <div className={`aspect-[4/5] shrink-0 overflow-hidden rounded-control bg-sunken ${className}`}>
      {image ? <DropImage image={image} alt="" sizes="80px" /> : null}
    </div>
  )
}
