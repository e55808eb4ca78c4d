'use client'

import { arrayMove } from '@dnd-kit/sortable'
import { Camera, ImagePlus } from 'lucide-react'
import { type Ref, useEffect, useEffectEvent, useRef } from 'react'
import { type Control, useController } from 'react-hook-form'
import { cn } from '@/components/ui/class-names'
import { FieldDescription, FieldError, FieldLegend, FieldSet } from '@/components/ui/field'
import { PICTURE_TYPES, pickPictures } from '@/components/drops/pick-pictures'
import { toast } from '@/lib/client/toast-store'
import { dropToasts, movedText } from '@/lib/drops/messages'
import { MAX_IMAGES } from '@/lib/drops/rules'
import type { CreateDropForm } from '@/lib/drops/schema'
import { ImageList } from './image-list'
import { toPicture } from './to-picture'

/** Up to five pictures, from the library, the camera, the clipboard or dropped here; the first one is the main one. */
export function ImagePicker({ control }: { control: Control<CreateDropForm> }) {
  const { field, fieldState } = useController({ control, name: 'images' })
  const { ref, value: pictures, onChange } = field
  const error = fieldState.error?.message

  function add(offered: File[]) {
    const picked = pickPictures(offered, pictures.length)
    if (picked.length > 0) onChange([...pictures, ...picked.map(toPicture)])
  }

  function move(from: number, to: number) {
    onChange(arrayMove(pictures, from, to))
    toast({ title: dropToasts.reordered, description: movedText(to + 1) })
  }

  function remove(id: string) {
    for (const picture of pictures) if (picture.id === id) URL.revokeObjectURL(picture.url)
    onChange(pictures.filter((picture) => picture.id !== id))
  }

  usePastedFiles(add)
  return (
    <FieldSet
      className="grid gap-2"
      aria-describedby={error ? 'images-error' : 'images-hint'}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        add([...event.dataTransfer.files])
      }}
    >
      <FieldLegend variant="label">Product Images</FieldLegend>
      <ImageList pictures={pictures} onMove={move} onRemove={remove} />
      <AddButtons ref={ref} count={pictures.length} isInvalid={Boolean(error)} onFiles={add} />
      <FieldError id="images-error">{error}</FieldError>
      <FieldDescription id="images-hint" className="tabular">
        {pictures.length} of {MAX_IMAGES}. The first one is the main picture.
        {pictures.length > 1 ? ' Drag to reorder, double tap to remove.' : ''}
      </FieldDescription>
    </FieldSet>
  )
}

type AddButtonsProps = {
  ref: Ref<HTMLButtonElement>
  count: number
  isInvalid: boolean
  onFiles: (files: File[]) => void
}

/** The buttons that add pictures, while there is room for one. */
function AddButtons({ ref, count, isInvalid, onFiles }: AddButtonsProps) {
  const library = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput ref={library} label="Add product images" isMultiple onFiles={onFiles} />
      <FileInput ref={camera} label="Take a product photo" isCamera onFiles={onFiles} />
      {count < MAX_IMAGES ? (
        <div className="flex gap-2">
          <button
            ref={ref}
            id="images"
            type="button"
            data-invalid={isInvalid ? true : undefined}
            aria-describedby={isInvalid ? 'images-error' : 'images-hint'}
            onClick={() => library.current?.click()}
            className={cn(
              'flex flex-1 items-center justify-center gap-2 rounded-card border-2 border-dashed border-control bg-surface text-sm font-semibold hover:bg-sunken',
              count === 0 ? 'min-h-44 flex-col' : 'min-h-16',
              isInvalid && 'border-bad',
            )}
          >
            <ImagePlus aria-hidden className={cn('text-ember', count === 0 ? 'size-8' : 'size-5')} />
            {count === 0 ? 'Add photos' : 'Add more'}
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
    </>
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
