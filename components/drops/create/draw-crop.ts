/**
 * How a photo is cropped: the shape as width divided by height (null for the photo's own shape), the quarter turns, the
 * angle in degrees by which it is straightened, the zoom, and the point of the photo that is in the middle, from 0 to 1
 * in both directions.
 */
export type Crop = { shape: number | null; turns: number; angle: number; zoom: number; x: number; y: number }

export type Size = { width: number; height: number }

/** The whole photo as it is. */
export const uncropped: Crop = { shape: null, turns: 0, angle: 0, zoom: 1, x: 0.5, y: 0.5 }

/** The largest angle by which a photo is straightened, in degrees, and the largest zoom. */
export const MAX_ANGLE = 15
export const MAX_ZOOM = 3

const radians = ({ turns, angle }: Crop) => ((turns * 90 + angle) * Math.PI) / 180

/**
 * Returns the width of the cropped photo divided by its height. Without a chosen shape it is the photo's own, with
 * width and height swapped after an odd number of quarter turns.
 */
export function shapeOf(crop: Crop, { width, height }: Size): number {
  return crop.shape ?? (crop.turns % 2 === 0 ? width / height : height / width)
}

/**
 * Returns the scale at which the turned photo covers the whole frame, times the zoom, and half the size of the frame's
 * bounding box in pixels of the photo.
 */
function cover(crop: Crop, photo: Size, frame: Size) {
  const cos = Math.abs(Math.cos(radians(crop)))
  const sin = Math.abs(Math.sin(radians(crop)))
  const across = frame.width * cos + frame.height * sin
  const down = frame.width * sin + frame.height * cos
  const scale = Math.max(across / photo.width, down / photo.height) * crop.zoom
  return { scale, halfWidth: across / 2 / scale, halfHeight: down / 2 / scale }
}

/** Moves the middle so that no corner of the frame is outside the photo. */
export function withinPhoto(crop: Crop, photo: Size): Crop {
  const shape = shapeOf(crop, photo)
  const { halfWidth, halfHeight } = cover(crop, photo, { width: shape, height: 1 })
  const between = (value: number, half: number, length: number) => {
    const least = Math.min(0.5, half / length)
    return Math.min(1 - least, Math.max(least, value))
  }
  return {
    ...crop,
    x: between(crop.x, halfWidth, photo.width),
    y: between(crop.y, halfHeight, photo.height),
  }
}

/** Returns the crop after the photo was moved in its frame by `by`, in pixels of the frame. */
export function moved(crop: Crop, photo: Size, frame: Size, by: { x: number; y: number }): Crop {
  const { scale } = cover(crop, photo, frame)
  const [cos, sin] = [Math.cos(radians(crop)), Math.sin(radians(crop))]
  const x = crop.x - (by.x * cos + by.y * sin) / scale / photo.width
  const y = crop.y - (by.y * cos - by.x * sin) / scale / photo.height
  return withinPhoto({ ...crop, x, y }, photo)
}

/** Returns the size of the cropped photo at the photo's own resolution, at most `maxWidth` wide. */
export function croppedSize(crop: Crop, photo: Size, maxWidth: number): Size {
  const shape = shapeOf(crop, photo)
  const { scale } = cover(crop, photo, { width: shape, height: 1 })
  const width = Math.max(1, Math.min(maxWidth, Math.round(shape / scale)))
  return { width, height: Math.max(1, Math.round(width / shape)) }
}

/** Draws the cropped photo so that it fills the canvas. */
export function drawCrop(context: CanvasRenderingContext2D, photo: ImageBitmap, crop: Crop): void {
  const frame = context.canvas
  const { scale } = cover(crop, photo, frame)
  context.setTransform(1, 0, 0, 1, 0, 0)
  // Transparent parts become white, as the server makes them.
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, frame.width, frame.height)
  context.imageSmoothingQuality = 'high'
  context.translate(frame.width / 2, frame.height / 2)
  context.rotate(radians(crop))
  context.scale(scale, scale)
  context.drawImage(photo, -crop.x * photo.width, -crop.y * photo.height)
}
