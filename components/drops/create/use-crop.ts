'use client'

import { useEffect, useRef, useState } from 'react'
import { type Crop, croppedSize, drawCrop, moved, shapeOf, uncropped, withinPhoto } from './draw-crop'

/** The longest side of the preview, and the largest width of the cropped photo, in pixels. */
const PREVIEW_PX = 900
const MAX_WIDTH_PX = 2000

/** Opens a photo, draws its crop on a canvas, and makes the cropped photo. */
export function useCrop(file: File, onFailed: () => void) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [photo, setPhoto] = useState<ImageBitmap | null>(null)
  const [crop, setCrop] = useState<Crop>(uncropped)
  const failed = useRef(onFailed)

  useEffect(() => {
    let opened: ImageBitmap | undefined
    let isCurrent = true
    createImageBitmap(file).then(
      (bitmap) => {
        opened = bitmap
        if (isCurrent) setPhoto(bitmap)
        else bitmap.close()
      },
      () => failed.current(),
    )
    return () => {
      isCurrent = false
      opened?.close()
    }
  }, [file])

  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!photo || !context) return
    const shape = shapeOf(crop, photo)
    context.canvas.width = Math.round(shape >= 1 ? PREVIEW_PX : PREVIEW_PX * shape)
    context.canvas.height = Math.round(shape >= 1 ? PREVIEW_PX / shape : PREVIEW_PX)
    drawCrop(context, photo, crop)
  }, [photo, crop])

  const change = (part: Partial<Crop>) => {
    if (photo) setCrop((before) => withinPhoto({ ...before, ...part }, photo))
  }

  /** Moves the photo by pixels of the screen. */
  function move(by: { x: number; y: number }) {
    const shown = canvas.current?.getBoundingClientRect()
    if (photo && shown) setCrop((before) => moved(before, photo, shown, by))
  }

  /** Returns the cropped photo as a new file, or null while no photo is open or when the browser cannot encode it. */
  async function make(): Promise<File | null> {
    const target = document.createElement('canvas')
    const context = target.getContext('2d')
    if (!photo || !context) return null
    Object.assign(target, croppedSize(crop, photo, MAX_WIDTH_PX))
    drawCrop(context, photo, crop)
    const blob = await new Promise<Blob | null>((resolve) => target.toBlob(resolve, 'image/jpeg', 0.92))
    return blob && new File([blob], file.name.replace(/\.\w+$/, '') + '.jpg', { type: 'image/jpeg' })
  }

  return { canvas, crop, change, move, make, isOpen: photo !== null }
}
