'use client'

import { X } from 'lucide-react'
import { useState } from 'react'
import { ShareButton } from '@/components/drops/share-button'
import { Button } from '@/components/ui/button'
import { celebratedText } from '@/lib/drops/messages'
import { type Celebration, celebrationOf } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { Thumbnail } from './thumbnail'

type Celebrated = { kind: Celebration; drop: DropView }

/**
 * Returns the latest celebration, or null, and a function that ends it. A celebration begins when newly fetched drops
 * show the first sale of a drop, or that a live drop has sold out.
 */
function useCelebrated(drops: DropView[]): [Celebrated | null, () => void] {
  const [before, setBefore] = useState(drops)
  const [celebrated, setCelebrated] = useState<Celebrated | null>(null)
  if (before !== drops) {
    setBefore(drops)
    for (const drop of drops) {
      const earlier = before.find(({ id }) => id === drop.id)
      const kind = earlier ? celebrationOf(earlier, drop) : null
      if (kind) setCelebrated({ kind, drop })
    }
  }
  return [celebrated, () => setCelebrated(null)]
}

/**
 * Celebrates a drop's first sale and its sell-out on a screen of its seller that is open when they happen. `drops` must
 * be the same array until newer drops were fetched.
 */
export function CelebrationCard({ drops, className }: { drops: DropView[]; className?: string }) {
  const [celebrated, close] = useCelebrated(drops)
  return (
    // The container is rendered before the card, so that screen readers announce the card.
    <div role="status" className={className}>
      {celebrated ? <Party key={`${celebrated.kind} ${celebrated.drop.id}`} {...celebrated} onClose={close} /> : null}
    </div>
  )
}

function Party({ kind, drop, onClose }: Celebrated & { onClose: () => void }) {
  const { title, text } = celebratedText(kind, drop)
  return (
    <div className="stamp-press relative flex flex-wrap items-center gap-4 overflow-hidden rounded-card border-2 border-ember bg-surface p-4 pe-14">
      <span aria-hidden className="spark-burst absolute inset-x-0 top-0 h-1 bg-ember" />
      <Thumbnail drop={drop} />
      <div className="min-w-36 flex-1">
        <p className="font-display text-3xl leading-tight font-extrabold text-ember">{title}</p>
        <p className="wrap-anywhere">{text}</p>
      </div>
      {kind === 'firstSale' ? (
        <ShareButton title={drop.title} path={`/drop/${drop.identifier}`} label="Share again" />
      ) : null}
      <Button variant="ghost" size="icon" aria-label="Dismiss" onClick={onClose} className="absolute end-2 top-2">
        <X aria-hidden />
      </Button>
    </div>
  )
}
