import sharp from 'sharp'
import { processPhoto } from '@/lib/infra/images'
import { bombPng } from '@/tests/support/photos'

const picture = () => sharp({ create: { width: 1000, height: 800, channels: 3, background: '#1b7f4b' } })

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('%s becomes WebP, never enlarged', async (format) => {
  const photo = await processPhoto(await picture().toFormat(format).toBuffer())
  expect(photo).toMatchObject({ width: 1000, height: 800, widths: [480, 750, 1000] })
})

test.each(['avif', 'tiff'] as const)('%s is refused', async (format) => {
  expect(await processPhoto(await picture().toFormat(format).toBuffer())).toBe('not-an-image')
})

it('says why a decompression bomb is refused', async () => {
  const bytes = bombPng()
  expect(bytes.length).toBeLessThan(1024 * 1024)
  expect(await processPhoto(bytes)).toBe('too-many-pixels')
})

it('compresses a detailed photo more, so that it loads fast on a phone', async () => {
  // Coarse noise has more detail than a real photo. At the usual quality the file would be too large.
  const noise = await sharp({
    create: {
      width: 400,
      height: 500,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 15 },
    },
  })
    .resize({ width: 1600 })
    .jpeg({ quality: 95 })
    .toBuffer()
  const photo = await processPhoto(noise)
  if (typeof photo === 'string') throw new Error(photo)
  const sizeOf = (width: number) =>
    photo.files.find(({ key }) => key.endsWith(`-${width}.webp`))?.bytes.byteLength ?? Number.NaN
  expect(sizeOf(750)).toBeLessThanOrEqual(150 * 1024)
  expect(sizeOf(1200)).toBeLessThanOrEqual(150 * 1024)
  // The width for large screens keeps its quality.
  expect(sizeOf(1600)).toBeGreaterThan(150 * 1024)
})
