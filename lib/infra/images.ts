import 'server-only'
import { createHash } from 'node:crypto'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import sharp, { type Region, type Sharp } from 'sharp'
import { newId } from '@/lib/kernel/id'
import { PHONE_MARK, phonePhotoKey } from '@/lib/kernel/phone-photo-key'
import { boundedQueue } from './bounded-queue'

/**
 * The widths in which a photo is stored, in device pixels: for a card, a phone of density 2, a phone of density 3, and
 * the viewer or a desktop. A narrower photo is stored in the smaller widths and in its own width.
 */
const WIDTHS = [480, 750, 1200, 1600] as const
/**
 * The target size for a page's first picture, in bytes. Pictures up to HERO_WIDTH, the largest width for phones, are
 * compressed harder, down to the last of QUALITIES, until they are no larger than this.
 */
const HERO_BYTES = 150 * 1024
const HERO_WIDTH = 1200
const QUALITIES = [75, 66, 56, 46] as const
/**
 * A picture that is more than this many times as high as it is wide is compressed once, at one quality. It would not
 * reach HERO_BYTES anyway, and all uploads wait in one line: 1600 × 16,000 pixels of noise took 28 seconds.
 */
const TALL_TIMES = 3
const TALL_QUALITIES = [66] as const
/** The width of the AVIF file that phones load (components/drop-page/gallery.tsx). It is one of WIDTHS. */
const PHONE_WIDTH = 750
/** With more effort, the file would be a tenth smaller, but encoding would take nine times as long. */
const AVIF = { quality: 50, effort: 2 } as const
/** A picture with more pixels is refused as a decompression bomb: 31 KB of PNG can hold 16,000 × 16,000 pixels. */
const MAX_PIXELS = 50_000_000
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

// Only the decoders of the accepted formats and of SVG are enabled, whatever a file claims to be. SVG is needed by
// next/og, which draws our previews with the same library. refusePhoto() refuses uploaded SVGs by their first bytes.
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
// Each upload is decoded once, so a cache would only waste memory. Threads would multiply the memory of one decode.
sharp.cache(false)
sharp.concurrency(1)

export type Photo = {
  key: string
  width: number
  height: number
  widths: number[]
  /** A tiny picture as a data URI, shown until the real one has loaded. */
  placeholder: string
  files: { key: string; bytes: Buffer }[]
}

export type PhotoRefusal = 'not-an-image' | 'too-many-pixels'

/** Runs one call at a time in this process, so that memory does not grow with the number of uploads. */
const oneAtATime = boundedQueue({ name: 'pictures', atOnce: 1, waiting: 60, retryAfterSeconds: 20 })

/** The storage key of one width of a photo. */
export function photoKey(key: string, width: number): string {
  return `${key}-${width}.webp`
}

/** The storage keys of all files of a photo. */
export function photoFileKeys({ key, widths }: { key: string; widths: number[] }): string[] {
  const forPhones = phonePhotoKey(key)
  return [...widths.map((width) => photoKey(key, width)), ...(forPhones ? [forPhones] : [])]
}

/**
 * Re-encodes an uploaded picture as WebP in several widths, and as AVIF for phones: upright, without EXIF, never
 * enlarged.
 * @param source a file path or bytes; the format is read from the bytes and never from the name.
 * @throws QueueFull
 */
export function processPhoto(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return oneAtATime(() => encode(source))
}

async function encode(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return decoded(source, render)
}

/** The edge of a profile picture in pixels. The largest size at which it is shown is 80 CSS pixels. */
const AVATAR_PX = 320
/**
 * Only the middle of a picture that is longer than this many times its width is used, or wider than that many times its
 * height. sharp enlarges the short side before it crops, and searches the whole result for the most interesting part.
 * For 16,000 × 1 pixels, which are 315 bytes of PNG, that took two minutes and 3 GB of memory.
 */
const MOST_TIMES_LONGER = 20

export type Avatar = { key: string; bytes: Buffer }

/**
 * Re-encodes an uploaded profile picture as a WebP square, cropped to its most interesting part.
 * @throws QueueFull
 */
export function processAvatar(source: string): Promise<Avatar | PhotoRefusal> {
  return oneAtATime(() =>
    decoded(source, async (open) => ({
      key: `profiles/${newId('a').slice(2)}.webp`,
      bytes: await open()
        .autoOrient()
        .extract(await middleOf(open()))
        .resize({ width: AVATAR_PX, height: AVATAR_PX, fit: 'cover', position: 'attention' })
        .flatten({ background: '#ffffff' })
        .webp({ quality: 82 })
        .toBuffer(),
    })),
  )
}

/** Returns the part of an upright picture in which its most interesting part is searched, see MOST_TIMES_LONGER. */
async function middleOf(picture: Sharp): Promise<Region> {
  const { autoOrient: upright } = await picture.metadata()
  const most = MOST_TIMES_LONGER * Math.min(upright.width, upright.height)
  const [width, height] = [Math.min(upright.width, most), Math.min(upright.height, most)]
  const [left, top] = [Math.floor((upright.width - width) / 2), Math.floor((upright.height - height) / 2)]
  return { left, top, width, height }
}

/**
 * Checks a picture by its header alone.
 * @returns null for a picture that may be decoded
 */
export async function refusePhoto(source: string | Buffer): Promise<PhotoRefusal | null> {
  const sniffed = typeof source === 'string' ? await fileTypeFromFile(source) : await fileTypeFromBuffer(source)
  if (!sniffed || !ACCEPTED.has(sniffed.mime)) return 'not-an-image'
  const metadata = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!metadata?.width || !metadata.height) return 'not-an-image'
  return metadata.width * metadata.height > MAX_PIXELS ? 'too-many-pixels' : null
}

/** Calls `work` with a decoder of the picture. Refuses other files and decompression bombs before decoding anything. */
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

async function toWebp(source: Buffer, width: number, qualities: readonly number[]): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  for (const quality of qualities) {
    bytes = await sharp(source).resize({ width }).webp({ quality, effort: 4 }).toBuffer()
    if (width > HERO_WIDTH || bytes.byteLength <= HERO_BYTES) break
  }
  return bytes
}

/** Returns the file for phones, or null when it would not be smaller than the WebP file of the same width. */
async function toAvif(source: Buffer, encoded: { width: number; bytes: Buffer }[]): Promise<Buffer | null> {
  const webp = encoded.find(({ width }) => width >= PHONE_WIDTH) ?? encoded.at(-1)
  if (!webp) return null
  const bytes = await sharp(source).resize({ width: webp.width }).avif(AVIF).toBuffer()
  return bytes.byteLength < webp.bytes.byteLength ? bytes : null
}

/** The largest height of a photo in pixels. A WebP file has at most 16,383. */
const TALLEST = 16_000

async function render(open: () => Sharp): Promise<Photo> {
  // The original is decoded once at the largest width, and the smaller widths are made from the result.
  const largest = await open()
    .autoOrient()
    .resize({ width: WIDTHS[WIDTHS.length - 1], height: TALLEST, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColorspace('srgb')
    .jpeg({ quality: 95 })
    .toBuffer({ resolveWithObject: true })
  const { width, height } = largest.info
  const widths: number[] = WIDTHS.filter((candidate) => candidate < width)
  widths.push(width)
  const encoded: { width: number; bytes: Buffer }[] = []
  const qualities = height > width * TALL_TIMES ? TALL_QUALITIES : QUALITIES
  for (const target of widths) {
    encoded.push({ width: target, bytes: await toWebp(largest.data, target, qualities) })
  }
  const forPhones = await toAvif(largest.data, encoded)
  // The page contains this picture, so it has only as many pixels as a blurred picture needs.
  const blurred = await sharp(largest.data).resize({ width: 10 }).webp({ quality: 20, effort: 6 }).toBuffer()
  const digest = createHash('sha256').update(largest.data).digest('hex').slice(0, 16)
  const key = `drops/${digest}-${newId('p').slice(2, 12)}${forPhones ? PHONE_MARK : ''}`
  const files = encoded.map((file) => ({ key: photoKey(key, file.width), bytes: file.bytes }))
  const phoneKey = phonePhotoKey(key)
  if (phoneKey && forPhones) files.push({ key: phoneKey, bytes: forPhones })
  return {
    key,
    width,
    height,
    widths,
    placeholder: `data:image/webp;base64,${blurred.toString('base64')}`,
    files,
  }
}
