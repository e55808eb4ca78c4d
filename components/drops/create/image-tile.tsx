'use client'

import { useSortable } from '@dnd-kit/sortable'
import { CSS } from '@dnd-kit/utilities'
import { ArrowLeft, ArrowRight, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '@/components/ui/class-names'
import type { PickedPicture } from '@/lib/drops/schema'

/** Two taps within this time count as a double tap. */
const DOUBLE_TAP_MS = 300

// All pictures share this value. Two taps are a double tap only if no other picture was tapped in between, and a third tap
// does not remove the picture that has moved into the place of a removed one.
let lastTap = { pictureId: '', atMs: Number.NEGATIVE_INFINITY }

type ImageTileProps = {
  picture: PickedPicture
  position: number
  count: number
  onMove: (to: number) => void
  onRemove: () => void
}

/** A picture that can be dragged, moved by keyboard or by its buttons, and removed by its button or a double tap. */
export function ImageTile({ picture, position, count, onMove, onRemove }: ImageTileProps) {
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
        aria-label={`Picture ${position + 1} of ${count}, reorder`}
        onClick={(event) => tap(event.timeStamp)}
        className="size-full cursor-grab touch-manipulation rounded-card select-none active:cursor-grabbing"
      >
        {/* eslint-disable-next-line @next/next/no-img-element -- a local preview */}
        <img
          src={picture.url}
          alt={`Picture ${position + 1}: ${picture.file.name}`}
          draggable={false}
          className="pointer-events-none size-full object-cover"
        />
      </div>
      {position === 0 ? (
        <span className="pointer-events-none absolute top-2 left-2 rounded-full bg-black/70 px-2 py-0.5 text-xs font-semibold text-white">
          Main
        </span>
      ) : null}
      <TileButton label={`Remove picture ${position + 1}`} className="top-0 right-0" onClick={onRemove}>
        <X aria-hidden className="size-4" />
      </TileButton>
      {position > 0 ? (
        <TileButton
          label={`Move picture ${position + 1} earlier`}
          className="bottom-0 left-0"
          onClick={() => onMove(position - 1)}
        >
          <ArrowLeft aria-hidden className="size-4" />
        </TileButton>
      ) : null}
      {position < count - 1 ? (
        <TileButton
          label={`Move picture ${position + 1} later`}
          className="right-0 bottom-0"
          onClick={() => onMove(position + 1)}
        >
          <ArrowRight aria-hidden className="size-4" />
        </TileButton>
      ) : null}
    </li>
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
