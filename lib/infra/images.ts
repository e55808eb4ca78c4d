import 'server-only'
import { createHash } from 'node:crypto'
import { fileTypeFromBuffer, fileTypeFromFile } from 'file-type'
import sharp, { type Sharp } from 'sharp'
import { newId } from '@/lib/kernel/id'

/** The widths every photo is kept in, in CSS px times density: a card, a phone of density 2, one of density 3, the viewer or a desktop. */
const WIDTHS = [480, 750, 1200, 1600] as const
/** What the first picture of a page may weigh; up to the width that phones are sent, a busy photo is pressed harder. */
const HERO_BYTES = 150 * 1024
const HERO_WIDTH = 1200
const QUALITIES = [75, 66, 56, 46] as const
/** Above this a picture is a bomb, not a photo: 31 KB of PNG can hold 16,000 × 16,000 pixels. */
const MAX_PIXELS = 50_000_000
const ACCEPTED = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])

// Only the decoders of what we accept, whatever the bytes pretend to be. SVG stays for next/og, which draws our own
// previews through this same library; an uploaded one is turned away by its first bytes.
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
// Pictures pass once: a cache only holds memory, and threads multiply what one decode takes.
sharp.cache(false)
sharp.concurrency(1)

export type Photo = {
  key: string
  width: number
  height: number
  widths: number[]
  /** A 20 px wide picture as a data URI, shown until the real one is there. */
  placeholder: string
  files: { key: string; bytes: Buffer }[]
}

export type PhotoRefusal = 'not-an-image' | 'too-many-pixels'

let lane: Promise<unknown> = Promise.resolve()

/** One picture at a time in this process: memory stays flat however many upload at once. */
function inLane<T>(work: () => Promise<T>): Promise<T> {
  const result = lane.then(work, work)
  lane = result.catch(() => undefined)
  return result
}

/** Addresses one width of a photo in storage. */
export function photoKey(key: string, width: number): string {
  return `${key}-${width}.webp`
}

/**
 * Re-encodes an uploaded picture into WebP widths: upright, without EXIF, never enlarged.
 * @param source a file path or bytes; what it is, is read from the bytes and never from its name.
 */
export function processPhoto(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return inLane(() => encode(source))
}

async function encode(source: string | Buffer): Promise<Photo | PhotoRefusal> {
  return decoded(source, render)
}

/** Edge of a profile picture, twice what the largest place shows it at. */
const AVATAR_PX = 320

export type Avatar = { key: string; bytes: Buffer }

/** Re-encodes an uploaded profile picture into one square, cut to where something is to be seen. */
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

/** Turns away what is no picture, or a bomb, before anything is decoded. */
async function decoded<Result>(
  source: string | Buffer,
  work: (open: () => Sharp) => Promise<Result>,
): Promise<Result | PhotoRefusal> {
  const sniffed = typeof source === 'string' ? await fileTypeFromFile(source) : await fileTypeFromBuffer(source)
  if (!sniffed || !ACCEPTED.has(sniffed.mime)) return 'not-an-image'
  const metadata = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (!metadata?.width || !metadata.height) return 'not-an-image'
  if (metadata.width * metadata.height > MAX_PIXELS) return 'too-many-pixels'
  try {
    return await work(() => sharp(source, { limitInputPixels: MAX_PIXELS, failOn: 'error', animated: false }))
  } catch {
    // The header was a picture's, the rest is cut off or broken.
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
  // Decode the original once, at the largest width, and make the smaller ones from that.
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
