'use client'

import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ArrowLeft, ArrowRight, Crop, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/class-names'
import type { PickedPicture } from '@/lib/drops/schema'
import type { PhotoState } from './photo-queue'

/** Two taps within this time count as a double tap. */
const DOUBLE_TAP_MS = 300

// All pictures share this value, because two taps are a double tap only if no other picture was tapped in between. A
// third tap must not remove the picture that has moved into a removed picture's position.
let lastTap = { pictureId: '', atMs: Number.NEGATIVE_INFINITY }

type ImageTileProps = {
  picture: PickedPicture
  state: PhotoState | undefined
  position: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
  onCrop: () => void
}

/**
 * Shows a picture that can be dragged, moved by keyboard or by its buttons, cropped, and removed by its button or a
 * double tap. A bar shows how far it has been sent.
 */
export function ImageTile({ picture, state, position, count, onMove, onRemove, onCrop }: ImageTileProps) {
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id: picture.id })

  function tap(atMs: number) {
    const isSecond = lastTap.pictureId === picture.id && atMs - lastTap.atMs < DOUBLE_TAP_MS
    lastTap = { pictureId: picture.id, atMs }
    if (isSecond) onRemove()
  }

  return (
    <li
      ref={setNodeRef}
      style={{ transform: CSS.Transform.toString(transform), transition }}
      className={cn(
        'relative aspect-[4/5] overflow-hidden rounded-card bg-sunken',
        isDragging && 'z-10 opacity-90 shadow-card ring-2 ring-ember',
      )}
    >
      <div
        {...attributes}
        {...listeners}
        aria-label={`Photo ${position + 1} of ${count}, reorder`}
        onClick={(event) => tap(event.timeStamp)}
        className="size-full cursor-grab touch-manipulation rounded-card select-none active:cursor-grabbing"
      >
        {/* eslint-disable-next-line @next/next/no-img-element -- a local preview */}
        <img
          src={picture.url}
          alt={`Photo ${position + 1}: ${picture.file.name}`}
          draggable={false}
          className="pointer-events-none size-full object-cover"
        />
      </div>
      {position === 0 ? (
        <span className="pointer-events-none absolute bottom-2 start-2 rounded-full bg-black/70 px-2 py-0.5 text-xs font-semibold text-white">
          Main
        </span>
      ) : null}
      <TileButton label={`Crop photo ${position + 1}`} className="top-0 start-0" onClick={onCrop}>
        <Crop aria-hidden className="size-4" />
      </TileButton>
      <TileButton label={`Remove photo ${position + 1}`} className="top-0 end-0" onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </TileButton>
      {position > 0 ? (
        <TileButton
          label={`Move photo ${position + 1} earlier`}
          className="bottom-0 start-0"
          onClick={() => onMove(position - 1)}
        >
          <ArrowLeft aria-hidden className="size-4" />
        </TileButton>
      ) : null}
      {position < count - 1 ? (
        <TileButton
          label={`Move photo ${position + 1} later`}
          className="end-0 bottom-0"
          onClick={() => onMove(position + 1)}
        >
          <ArrowRight aria-hidden className="size-4" />
        </TileButton>
      ) : null}
      {state ? <SendBar state={state} position={position} /> : null}
    </li>
  )
}

/** Shows at the picture's lower edge how much of it has been sent, until all of it is. */
function SendBar({ state, position }: { state: PhotoState; position: number }) {
  if (state.kind === 'sent') return null
  const percent = state.totalBytes > 0 ? Math.min(100, (state.loadedBytes / state.totalBytes) * 100) : 0
  return (
    <div className="pointer-events-none absolute inset-x-0 bottom-0 h-1.5 bg-black/50">
      {state.kind === 'failed' ? (
        <div className="h-full bg-bad" />
      ) : (
        <div
          role="progressbar"
          aria-label={`Upload of photo ${position + 1}`}
          aria-valuenow={Math.round(percent)}
          aria-valuemin={0}
          aria-valuemax={100}
          className="h-full bg-ember transition-[width] duration-150"
          style={{ width: `${Math.max(6, percent)}%` }}
        />
      )}
    </div>
  )
}

type TileButtonProps = { label: string; className: string; onClick: () => void; children: ReactNode }

function TileButton({ label, className, onClick, children }: TileButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClick}
      className={cn('absolute grid size-11 place-items-center', className)}
    >
      <span className="grid size-7 place-items-center rounded-full bg-black/70 text-white">{children}</span>
    </button>
  )
}
