import 'server-only'
import type { DropView } from '@/lib/drops/view'
import { fuseTenths } from './drop-metadata'

/** Draws the fuse of a drop into a picture: a bar whose length shows how much time is left. */
export function DrawnFuse({ drop, height, radius }: { drop: DropView; height: number; radius: number }) {
  const bar = { display: 'flex', height, borderRadius: radius }
  return (
    <div style={{ ...bar, width: '100%', background: '#E7E2D8' }}>
      <div style={{ ...bar, width: `${fuseTenths(drop) * 10}%`, background: '#C93A05' }} />
    </div>
  )
}
