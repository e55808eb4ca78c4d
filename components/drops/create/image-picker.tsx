'use client'

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { arrayMove, rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { Camera, ImagePlus } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { PICTURE_TYPES, pickPictures } from '@/components/drops/pick-pictures'
import { cn } from '@/components/ui/class-names'
import { toast } from '@/lib/client/toast-store'
import { dropToasts, movedText } from '@/lib/drops/messages'
import { MAX_IMAGES } from '@/lib/drops/rules'
import type { Picture } from './form-values'
import { ImageTile } from './image-tile'
import { toPicture } from './use-content'

type ImagePickerProps = { pictures: Picture[]; onChange: (pictures: Picture[]) => void; error?: string | undefined }

/**
 * Picks up to five pictures: from the library, the camera, the clipboard, or dropped here. The first one is the main
 * picture.
 */
export function ImagePicker({ pictures, onChange, error }: ImagePickerProps) {
  const library = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 8 } }),
    // A short press starts a drag. Without the delay, a thumb that scrolls the page would move pictures.
    useSensor(TouchSensor, { activationConstraint: { delay: 180, tolerance: 8 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )

  function add(offered: File[]) {
    const picked = pickPictures(offered, pictures.length)
    if (picked.length > 0) onChange([...pictures, ...picked.map(toPicture)])
  }

  function move(from: number, to: number) {
    onChange(arrayMove(pictures, from, to))
    toast({ title: dropToasts.reordered, description: movedText(to + 1) })
  }

  const place = (id: string | number) => pictures.findIndex((picture) => picture.id === id) + 1
  // The default announcements would read our internal ids aloud.
  const announcements: Announcements = {
    onDragStart: ({ active }) => `Picked up picture ${place(active.id)} of ${pictures.length}.`,
    onDragOver: ({ active, over }) =>
      over ? `Picture ${place(active.id)} is now in place ${place(over.id)} of ${pictures.length}.` : undefined,
    onDragEnd: ({ active, over }) =>
      `Picture ${place(active.id)} was put in place ${place(over?.id ?? active.id)} of ${pictures.length}.`,
    onDragCancel: ({ active }) => `Picture ${place(active.id)} stays in its place.`,
  }

  function endDrag({ active, over }: DragEndEvent) {
    if (!over || active.id === over.id) return
    move(place(active.id) - 1, place(over.id) - 1)
  }

  usePastedFiles(add)
  return (
    <fieldset
      className="grid gap-2"
      aria-describedby={error ? 'images-error' : 'images-hint'}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        add([...event.dataTransfer.files])
      }}
    >
      <legend className="mb-2 text-sm font-semibold">Product Images</legend>
      <FileInput ref={library} label="Add product images" isMultiple onFiles={add} />
      <FileInput ref={camera} label="Take a product photo" isCamera onFiles={add} />
      <DndContext
        id="images-order"
        sensors={sensors}
        collisionDetection={closestCenter}
        accessibility={{ announcements }}
        onDragEnd={endDrag}
      >
        <SortableContext items={pictures} strategy={rectSortingStrategy}>
          {pictures.length > 0 ? (
            <ul className="grid grid-cols-3 gap-2 md:grid-cols-5">
              {pictures.map((picture, position) => (
                <ImageTile
                  key={picture.id}
                  picture={picture}
                  position={position}
                  count={pictures.length}
                  onMove={(to) => move(position, to)}
                  onRemove={() => onChange(pictures.filter(({ id }) => id !== picture.id))}
                />
              ))}
            </ul>
          ) : null}
        </SortableContext>
      </DndContext>
      {pictures.length < MAX_IMAGES ? (
        <div className="flex gap-2">
          <button
            id="images"
            type="button"
            data-invalid={error ? true : undefined}
            aria-describedby={error ? 'images-error' : 'images-hint'}
            onClick={() => library.current?.click()}
            className={cn(
              'flex flex-1 items-center justify-center gap-2 rounded-card border-2 border-dashed border-control bg-surface text-sm font-semibold hover:bg-sunken',
              pictures.length === 0 ? 'min-h-44 flex-col' : 'min-h-16',
              error && 'border-bad',
            )}
          >
            <ImagePlus aria-hidden className={cn('text-ember', pictures.length === 0 ? 'size-8' : 'size-5')} />
            {pictures.length === 0 ? 'Add photos' : 'Add more'}
          </button>
          <button
            type="button"
            aria-label="Take a photo"
            onClick={() => camera.current?.click()}
            className="grid w-20 place-content-center justify-items-center gap-2 rounded-card border-2 border-dashed border-control bg-surface text-sm font-semibold hover:bg-sunken pointer-fine:hidden"
          >
            <Camera aria-hidden className="size-6 text-ember" />
          </button>
        </div>
      ) : null}
      {error ? (
        <p id="images-error" className="text-sm font-medium text-bad">
          {error}
        </p>
      ) : null}
      <p id="images-hint" className="tabular text-sm text-muted">
        {pictures.length} of {MAX_IMAGES}. The first one is the main picture.
        {pictures.length > 1 ? ' Drag to reorder, double tap to remove.' : ''}
      </p>
    </fieldset>
  )
}

type FileInputProps = {
  ref: React.RefObject<HTMLInputElement | null>
  label: string
  isMultiple?: boolean
  isCamera?: boolean
  onFiles: (files: File[]) => void
}

function FileInput({ ref, label, isMultiple = false, isCamera = false, onFiles }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={PICTURE_TYPES.join(',')}
      multiple={isMultiple}
      capture={isCamera ? 'environment' : undefined}
      className="sr-only"
      tabIndex={-1}
      aria-label={label}
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])])
        event.target.value = ''
      }}
    />
  )
}

/** Takes a picture that is pasted anywhere on the page. Pasted text still goes into the focused field. */
function usePastedFiles(onFiles: (files: File[]) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])].filter((file) => file.type.startsWith('image/'))
    if (files.length === 0) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const listener = (event: ClipboardEvent) => take(event)
    window.addEventListener('paste', listener)
    return () => window.removeEventListener('paste', listener)
  }, [])
}
