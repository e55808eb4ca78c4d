'use client'

import { arrayMove } from '@dnd-kit/sortable'
import { Camera, ImagePlus } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type Ref, useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react'
import { type Control, useController } from 'react-hook-form'
import { cn } from '@/components/ui/class-names'
import { FieldDescription, FieldError, FieldLegend, FieldSet } from '@/components/ui/field'
import { PICTURE_TYPES, pickPictures } from '@/components/drops/pick-pictures'
import { toast } from '@/lib/client/toast-store'
import { dropToasts, movedText } from '@/lib/drops/messages'
import { MAX_IMAGES } from '@/lib/drops/rules'
import type { CreateDropForm, PickedPicture } from '@/lib/drops/schema'
import { ImageList } from './image-list'
import type { PhotoQueue } from './photo-queue'
import { PhotosStatus } from './photos-status'
import { toPicture } from './to-picture'

// Most photos are not cropped, so the form opens without the dialog.
const CropDialog = dynamic(() => import('./crop-dialog').then((module) => module.CropDialog), { ssr: false })

type ImagePickerProps = { control: Control<CreateDropForm>; queue: PhotoQueue }

/**
 * Accepts up to five pictures from the library, the camera, the clipboard or by drag and drop. The first picture is the
 * main one.
 */
export function ImagePicker({ control, queue }: ImagePickerProps) {
  const states = useSyncExternalStore(queue.subscribe, queue.read, queue.read)
  const [cropped, setCropped] = useState<PickedPicture | null>(null)
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
    // The button that had the focus is gone.
    focusAdd()
  }

  function replace(old: PickedPicture, file: File) {
    URL.revokeObjectURL(old.url)
    onChange(pictures.map((picture) => (picture.id === old.id ? toPicture(file) : picture)))
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
      <ImageList pictures={pictures} states={states} onMove={move} onRemove={remove} onCrop={setCropped} />
      <AddButtons ref={ref} count={pictures.length} isInvalid={Boolean(error)} onFiles={add} />
      <FieldError id="images-error">{error}</FieldError>
      <FieldDescription id="images-hint" className="tabular">
        {pictures.length} of {MAX_IMAGES}. The first one is the main photo.
        {pictures.length > 1 ? ' Drag to reorder, double tap to remove.' : ''}
      </FieldDescription>
      <PhotosStatus states={[...states.values()]} onRetry={queue.retry} />
      {cropped ? (
        <CropDialog
          file={cropped.file}
          onClose={() => setCropped(null)}
          onFocusLost={focusAdd}
          onCropped={(file) => {
            replace(cropped, file)
            setCropped(null)
          }}
        />
      ) : null}
    </FieldSet>
  )
}

type AddButtonsProps = {
  ref: Ref<HTMLButtonElement>
  count: number
  isInvalid: boolean
  onFiles: (files: File[]) => void
}

const ADD_ID = 'images'

/** Moves the focus to the button that adds pictures, which is always shown. */
function focusAdd(): void {
  document.getElementById(ADD_ID)?.focus()
}

/** Shows the buttons that add pictures. When no more can be added, a press shows a toast that says so. */
function AddButtons({ ref, count, isInvalid, onFiles }: AddButtonsProps) {
  const library = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const choose = (input: HTMLInputElement | null) => {
    if (count < MAX_IMAGES) input?.click()
    else toast({ ...dropToasts.maximumReached, tone: 'bad' })
  }
  return (
    <>
      <FileInput ref={library} label="Add product images" isMultiple onFiles={onFiles} />
      <FileInput ref={camera} label="Take a product photo" isCamera onFiles={onFiles} />
      <div className="flex gap-2">
        <button
          ref={ref}
          id={ADD_ID}
          type="button"
          data-invalid={isInvalid ? true : undefined}
          aria-describedby={isInvalid ? 'images-error' : 'images-hint'}
          onClick={() => choose(library.current)}
          className={cn(
            'flex flex-1 items-center justify-center gap-2 rounded-card border-2 border-dashed border-control bg-surface text-sm font-semibold hover:bg-sunken',
            count === 0 ? 'min-h-64 flex-col text-base' : 'min-h-16',
            isInvalid && 'border-bad',
          )}
        >
          <ImagePlus aria-hidden className={cn('text-ember', count === 0 ? 'size-10' : 'size-5')} />
          {count === 0 ? 'Add photos' : 'Add more'}
        </button>
        <button
          type="button"
          aria-label="Take a photo"
          onClick={() => choose(camera.current)}
          className="grid w-20 place-content-center justify-items-center gap-2 rounded-card border-2 border-dashed border-control bg-surface text-sm font-semibold hover:bg-sunken pointer-fine:hidden"
        >
          <Camera aria-hidden className="size-6 text-ember" />
        </button>
      </div>
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

/** Adds pictures that are pasted anywhere on the page. Pasted text still goes into the focused field. */
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
