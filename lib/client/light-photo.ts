/** The server stores no wider photo (docs/product.md#photos), so more pixels would only take time to send. */
const MAX_WIDTH = 1600
/** A smaller file is sent as it is, because making it smaller would save little. */
const SMALL_BYTES = 500 * 1024
const QUALITY = 0.88

const made = new WeakMap<File, Promise<File>>()

/**
 * Returns a photo in the size in which the server will store it, so that a phone sends about a tenth of the bytes.
 * Returns the file itself when it is small, when its format may be transparent or animated, or when it cannot be opened
 * here. The server then decides whether to accept it. The result for the same file is always the same.
 */
export function lightPhoto(file: File): Promise<File> {
  const known = made.get(file)
  if (known) return known
  const making = shrink(file).catch(() => file)
  made.set(file, making)
  return making
}

async function shrink(file: File): Promise<File> {
  if (file.type !== 'image/jpeg' || file.size <= SMALL_BYTES) return file
  const bitmap = await createImageBitmap(file)
  try {
    const scale = Math.min(1, MAX_WIDTH / bitmap.width)
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    const context = canvas.getContext('2d')
    if (!context) return file
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
    return blob && blob.size < file.size ? new File([blob], file.name, { type: 'image/jpeg' }) : file
  } finally {
    bitmap.close()
  }
}
