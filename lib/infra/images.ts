import 'server-only'
import { createHash } from 'node:crypto'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { newId } from '@/lib/kernel/id'
import { boundedQueue } from './bounded-queue'

/**
 * The widths in which every photo is stored, in device pixels: for a card, a phone of density 2, a phone of density 3,
 * and the viewer or a desktop.
 */
const WIDTHS = [480, 750, 1200, 1600] as const
/**
 * The largest file of a page's first picture. Widths up to the largest one for phones are compressed harder to stay
 * below it.
 */
const HERO_BYTES = 150 * 1024
const HERO_WIDTH = 1200
const QUALITIES = [75, 66, 56, 46] as const
/** A picture with more pixels is refused as a decompression bomb: 31 KB of PNG can hold 16,000 × 16,000 pixels. */
const MAX_PIXELS = 50_000_000
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

// Only the decoders of accepted formats are enabled, whatever the file claims to be. SVG stays enabled for next/og,
// which draws our previews with the same library; uploaded SVGs are refused by their first bytes.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadSvg',
  ],
})
// Each picture is decoded once: a cache would only use memory, and threads multiply the memory of one decode.
sharp.cache(false)
sharp.concurrency(1)

export type Photo = {
  key: string
  width: number
  height: number
  widths: number[]
  /** A picture 20 px wide as a data URI, shown until the real one has loaded. */
  placeholder: string
  files: { key: string; bytes: Buffer }[]
}

export type PhotoRefusal = 'not-an-image' | 'too-many-pixels'

/** One picture at a time in this process, so that memory does not grow with the number of uploads. */
const inLane = boundedQueue({ name: 'pictures', atOnce: 1, waiting: 60, retryAfterSeconds: 20 })

/** The storage key of one width of a photo. */
export function photoKey(key: string, width: number): string {
  return `${key}-${width}.webp`
}

/**
 * Re-encodes an uploaded picture as WebP in several widths: upright, without EXIF, never enlarged.
 * @throws QueueFull
 * @param source a file path or bytes; the format is read from the bytes and never from the name.
 */
export function processPhoto(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return inLane(() => encode(source))
}

async function encode(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return decoded(source, render)
}

/** The edge of a profile picture in pixels, twice the largest size at which it is shown. */
const AVATAR_PX = 320

export type Avatar = { key: string; bytes: Buffer }

/** Re-encodes an uploaded profile picture as one square, cropped to its most interesting part. */
export function processAvatar(source: string): Promise<Avatar | PhotoRefusal> {
  return inLane(() =>
    decoded(source, async (open) => ({
      key: `profiles/${newId('a').slice(2)}.webp`,
      bytes: await open()
        .autoOrient()
        .resize({ width: AVATAR_PX, height: AVATAR_PX, fit: 'cover', position: 'attention' })
        .flatten({ background: '#ffffff' })
        .webp({ quality: 82 })
        .toBuffer(),
    })),
  )
}

/** Reads only the header of a picture. @returns null for a picture that may be decoded. */
export async function refusePhoto(source: string | Buffer): Promise<PhotoRefusal | null> {
  const sniffed = typeof source === 'string' ? await fileTypeFromFile(source) : await fileTypeFromBuffer(source)
  if (!sniffed || !ACCEPTED.has(sniffed.mime)) return 'not-an-image'
  const metadata = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!metadata?.width || !metadata.height) return 'not-an-image'
  return metadata.width * metadata.height > MAX_PIXELS ? 'too-many-pixels' : null
}

/** Refuses files that are not pictures, and decompression bombs, before anything is decoded. */
async function decoded<Result>(
  source: string | Buffer,
  work: (open: () => Sharp) => Promise<Result>,
): Promise<Result | PhotoRefusal> {
  const refusal = await refusePhoto(source)
  if (refusal) return refusal
  try {
    return await work(() => sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: false }))
  } catch {
    // The header was valid, but the rest of the file is cut off or broken.
    return 'not-an-image'
  }
}

async function toWebp(source: Buffer, width: number): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    bytes = await sharp(source).resize({ width }).webp({ quality, effort: 4 }).toBuffer()
    if (width > HERO_WIDTH || bytes.byteLength <= HERO_BYTES) break
  }
  return bytes
}

async function render(open: () => Sharp): Promise<Photo> {
  // Decodes the original once, at the largest width; the smaller widths are made from that.
  const largest = await open()
    .autoOrient()
    .resize({ width: WIDTHS[WIDTHS.length - 1], withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .jpeg({ quality: 95 })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = largest.info
  const widths: number[] = WIDTHS.filter((candidate) => candidate < width)
  widths.push(width)
  const encoded: { width: number; bytes: Buffer }[] = []
  for (const target of widths) {
    encoded.push({ width: target, bytes: await toWebp(largest.data, target) })
  }
  const blurred = await sharp(largest.data).resize({ width: 20 }).webp({ quality: 40 }).toBuffer()
  const digest = createHash('sha256').update(largest.data).digest('hex').slice(0, 16)
  const key = `drops/${digest}-${newId('p').slice(2, 12)}`
  return {
    key,
    width,
    height,
    widths,
    placeholder: `data:image/webp;base64,${blurred.toString('base64')}`,
    files: encoded.map((file) => ({ key: photoKey(key, file.width), bytes: file.bytes })),
  }
}
