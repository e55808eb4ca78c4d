import 'server-only'
import type { DropView } from '@/lib/drops/view'
import { fuseTenths } from './drop-metadata'

/** The photo of a drop in a drawn picture; pale when the drop cannot be bought. */
export function DrawnPhoto({
  photo,
  isPale,
  ...size
}: {
  photo: string
  isPale: boolean
  width: number
  height: number
}) {
  // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- drawn into a picture, not a page
  return <img src={photo} {...size} style={{ objectFit: 'cover', opacity: isPale ? 0.55 : 1 }} />
}

/** The fuse of a drop in a drawn picture: a bar as long as the part of the time that is left. */
export function DrawnFuse({ drop, height, radius }: { drop: DropView; height: number; radius: number }) {
  const bar = { display: 'flex', height, borderRadius: radius }
  return (
    <div style={{ ...bar, width: '100%', background: '#E7E2D8' }}>
      <div style={{ ...bar, width: `${fuseTenths(drop) * 10}%`, background: '#C93A05' }} />
    </div>
  )
}
