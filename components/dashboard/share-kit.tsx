'use client'

import { Copy, Image as Picture, MessageSquareText, QrCode } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { CaptionPicker } from '@/components/drops/caption-picker'
import { copyLink } from '@/components/drops/share-link'
import { shareStory } from '@/components/drops/share-story'
import { Dialog } from '@/components/ui/dialog'
import { DialogSheet } from '@/components/ui/dialog-sheet'
import { dropPath } from '@/lib/drops/rules'
import type { SellerDropView } from '@/lib/drops/view'
import { endSentence } from '@/lib/kernel/text'

/**
 * A QR code as one SVG path of its dark squares. `size` is its width and height in squares, including the blank border.
 */
export type QrPath = { size: number; path: string }

type ShareKitProps = { drop: SellerDropView; qr: QrPath | undefined; timezone: string }

/** Shows further ways to share an active drop: a copy of its link, a picture for a story, captions and a QR code. */
export function ShareKit({ drop, qr, timezone }: ShareKitProps) {
  const path = dropPath(drop)
  const [isDrawing, setIsDrawing] = useState(false)
  const [isCaptionOpen, setIsCaptionOpen] = useState(false)
  const [isQrOpen, setIsQrOpen] = useState(false)
  return (
    <div
      role="group"
      aria-label={`Share ${drop.title}`}
      className="grid grid-cols-2 gap-2 min-[16rem]:grid-cols-3 min-[23rem]:auto-cols-fr min-[23rem]:grid-flow-col min-[23rem]:grid-cols-none"
    >
      <Tile onClick={() => void copyLink(path)}>
        <Copy aria-hidden className="size-5" />
        Copy
      </Tile>
      <Tile
        disabled={isDrawing}
        onClick={() => {
          setIsDrawing(true)
          void shareStory(drop.identifier).finally(() => setIsDrawing(false))
        }}
      >
        <Picture aria-hidden className="size-5" />
        {isDrawing ? 'Creating…' : 'Story'}
      </Tile>
      <Tile aria-haspopup="dialog" onClick={() => setIsCaptionOpen(true)}>
        <MessageSquareText aria-hidden className="size-5" />
        Caption
      </Tile>
      <Dialog open={isCaptionOpen} onOpenChange={setIsCaptionOpen}>
        <DialogSheet title="Caption" description={endSentence(`Copy a caption for ${drop.title}`)}>
          <div className="pb-5">
            <Captions drop={drop} timezone={timezone} />
          </div>
        </DialogSheet>
      </Dialog>
      {qr ? (
        <Tile aria-haspopup="dialog" onClick={() => setIsQrOpen(true)}>
          <QrCode aria-hidden className="size-5" />
          QR code
        </Tile>
      ) : null}
      {qr ? (
        <Dialog open={isQrOpen} onOpenChange={setIsQrOpen}>
          <DialogSheet title="QR code" description={endSentence(`Scan this code to open ${drop.title}`)}>
            <svg
              viewBox={`0 0 ${qr.size} ${qr.size}`}
              role="img"
              aria-label={`QR code of the link to ${drop.title}`}
              className="mx-auto mb-5 w-full max-w-72 low:mb-2 low:max-w-[min(18rem,55dvh)] rounded-control bg-white p-1"
              shapeRendering="crispEdges"
            >
              <path d={qr.path} fill="#17150f" />
            </svg>
          </DialogSheet>
        </Dialog>
      ) : null}
    </div>
  )
}

/** Rendered only in an open dialog, and so only in the browser, where `window` exists. */
function Captions({ drop, timezone }: Omit<ShareKitProps, 'qr'>) {
  return <CaptionPicker drop={drop} link={window.location.origin + dropPath(drop)} timezone={timezone} />
}

function Tile(props: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      className="flex min-h-14 flex-col items-center justify-center gap-1 rounded-control border border-control/60 bg-surface text-xs font-semibold hover:bg-sunken disabled:opacity-60"
      {...props}
    />
  )
}
