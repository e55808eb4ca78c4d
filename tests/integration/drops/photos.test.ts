import sharp from 'sharp'
import { photoFileKeys, processPhoto } from '@/lib/infra/images'
import { bombPng, drawing } from '@/tests/support/photos'

const picture = () => sharp({ create: { width: 1000, height: 800, channels: 3, background: '#1b7f4b' } })

test.each(['jpeg', 'png', 'webp', 'gif'] as const)('%s becomes WebP and is never enlarged', async (format) => {
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
  // Coarse noise has more detail than most photos. At the usual quality the file would be too large.
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
  // The largest width, which is for large screens, keeps the usual quality.
  expect(sizeOf(1600)).toBeGreaterThan(150 * 1024)
})

it('has an AVIF file of 750 pixels for phones, smaller than the WebP file, and a tiny picture for the page', async () => {
  const photo = await processPhoto(drawing('enamel-pins-1').buffer)
  if (typeof photo === 'string') throw new Error(photo)
  const bytesOf = (end: string) => photo.files.find(({ key }) => key === photo.key + end)!.bytes
  const avif = bytesOf('-phone.avif')
  expect(await sharp(bytesOf('-750.webp')).metadata()).toMatchObject({ format: 'webp', width: 750 })
  expect(avif.subarray(4, 12).toString()).toBe('ftypavif')
  expect(avif.byteLength).toBeLessThan(bytesOf('-750.webp').byteLength)
  expect(photoFileKeys(photo)).toEqual(photo.files.map(({ key }) => key))
  expect(photo.placeholder.length).toBeLessThanOrEqual(200)
})

it('has no AVIF file when it would not be smaller', async () => {
  const photo = await processPhoto(await picture().resize(16).png().toBuffer())
  if (typeof photo === 'string') throw new Error(photo)
  expect(photo.files.map(({ key }) => key)).toEqual([`${photo.key}-16.webp`])
})
