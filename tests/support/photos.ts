// Makes pictures for tests, such as typical photos of phones and malicious files.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'

export type Picture = { name: string; mimeType: string; buffer: Buffer }

/** Returns one of the pictures of the demo data. */
export function drawing(name = 'ceramic-mug-1'): Picture {
  const buffer = readFileSync(path.join('prisma', 'seed', 'images', `${name}.webp`))
  return { name: `${name}.webp`, mimeType: 'image/webp', buffer }
}

/** Makes a small picture of one color, for tests that need any picture. */
export async function plainPhoto(name = 'plain.jpg', background = '#c93a05'): Promise<Picture> {
  const buffer = await sharp({ create: { width: 640, height: 800, channels: 3, background } })
    .jpeg()
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

/** Makes a photo like that of a phone, which is stored rotated and has GPS coordinates in its EXIF data. */
export async function photoWithExif(name = 'IMG_2041.jpg'): Promise<Picture> {
  const buffer = await sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#3a6f6b' } })
    .jpeg({ quality: 90 })
    .withExif({
      IFD0: { Make: 'Lastcall', Model: 'Test Phone' },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 3230/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 3949/100',
      },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

/** Makes a photo that hardly compresses. By default it has 12 megapixels and about 10 MB. */
export async function largePhoto(name = 'large.jpg', width = 4000, height = 3000): Promise<Picture> {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const buffer = await sharp({ create: { width, height, channels: 3, background: '#888888', noise } })
    .jpeg({ quality: 93 })
    .toBuffer()
  return { name, mimeType: 'image/jpeg', buffer }
}

/** Makes a PNG file of about 30 kB that decodes to 16,000 × 16,000 pixels. */
export function bombPng(side = 16_000): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // The picture is gray with one bit per pixel.
  header[8] = 1
  const rows = Buffer.alloc((1 + side / 8) * side)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const parts = [pngChunk('IHDR', header), pngChunk('IDAT', deflateSync(rows)), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([signature, ...parts])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

export const svgPicture = Buffer.from(
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>alert(1)</script></svg>',
)
