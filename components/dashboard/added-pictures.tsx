'use client'

import { ArrowLeft, ImagePlus, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { DropImage } from '@/components/drops/drop-image'
import { cn } from '@/components/ui/class-names'
import { PICTURE_TYPES, pickPictures } from '@/components/drops/pick-pictures'
import { MAX_IMAGES } from '@/lib/drops/rules'
import type { DropImageView } from '@/lib/drops/view'

type AddedPicturesProps = {
  existing: DropImageView[]
  added: File[]
  onChange: (added: File[]) => void
  /** Removes an existing picture, which is possible until a scheduled drop starts. */
  onRemove?: ((image: DropImageView) => void) | undefined
  /** Moves an existing picture to the place before its own, which is possible until then, too. */
  onMoveEarlier?: ((image: DropImageView) => void) | undefined
}

/** Shows the drop's existing pictures, followed by the pictures that are being added. */
export function AddedPictures({ existing, added, onChange, onRemove, onMoveEarlier }: AddedPicturesProps) {
  const input = useRef<HTMLInputElement>(null)
  const previews = useMemo(() => added.map((file) => URL.createObjectURL(file)), [added])
  useEffect(() => () => previews.forEach((url) => URL.revokeObjectURL(url)), [previews])
  const slots = MAX_IMAGES - existing.length - added.length

  function add(picked: File[]) {
    onChange([...added, ...pickPictures(picked, existing.length + added.length)])
  }

  return (
    <fieldset>
      <legend className="mb-2 text-sm font-semibold">Product Images</legend>
      <input
        ref={input}
        type="file"
        accept={PICTURE_TYPES.join(',')}
        multiple
        className="sr-only"
        tabIndex={-1}
        aria-label="Add product images"
        onChange={(event) => {
          add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <ul className="grid grid-cols-4 gap-2 md:grid-cols-5">
        {existing.map((image, position) => (
          <li key={image.src} className="relative aspect-[4/5] overflow-hidden rounded-control bg-sunken">
            <DropImage image={image} alt={`Photo ${position + 1}`} sizes="96px" />
            {onRemove ? <RemoveButton label={`Remove photo ${position + 1}`} onClick={() => onRemove(image)} /> : null}
            {onMoveEarlier && position > 0 ? (
              <TileButton
                label={`Move photo ${position + 1} earlier`}
                className="start-0 bottom-0"
                onClick={() => onMoveEarlier(image)}
              >
                <ArrowLeft aria-hidden className="size-4" />
              </TileButton>
            ) : null}
          </li>
        ))}
        {added.map((file, at) => (
          <li
            key={`${file.name}-${file.lastModified}-${file.size}`}
            className="relative aspect-[4/5] overflow-hidden rounded-control bg-sunken"
          >
            {/* eslint-disable-next-line @next/next/no-img-element -- a local preview */}
            <img src={previews[at]} alt={`New photo: ${file.name}`} className="size-full object-cover" />
            <RemoveButton
              label={`Remove ${file.name}`}
              onClick={() => onChange(added.filter((_, other) => other !== at))}
            />
          </li>
        ))}
        {slots > 0 ? (
          <li>
            <button
              type="button"
              onClick={() => input.current?.click()}
              className="grid aspect-[4/5] w-full place-content-center justify-items-center gap-1 rounded-control border-2 border-dashed border-control text-xs font-semibold hover:bg-sunken"
            >
              <ImagePlus aria-hidden className="size-6 text-muted" />
              Add
            </button>
          </li>
        ) : null}
      </ul>
      {slots > 0 ? null : <p className="mt-2 text-sm text-muted">A drop has up to {MAX_IMAGES} photos.</p>}
    </fieldset>
  )
}

type TileButtonProps = { label: string; onClick: () => void; className: string; children: ReactNode }

/** A button in a corner of a picture. */
function TileButton({ label, onClick, className, children }: TileButtonProps) {
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

function RemoveButton(props: Pick<TileButtonProps, 'label' | 'onClick'>) {
  return (
    <TileButton {...props} className="end-0 top-0">
      <X aria-hidden className="size-4" />
    </TileButton>
  )
}
