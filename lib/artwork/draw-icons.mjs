// Draws the icons of the manifest and of phones' home screens, the favicon, and the preview image of pages that have no
// picture of their own. Run this script by hand after a change to app/icon.svg or to the brand.
//   node lib/artwork/draw-icons.mjs [path of a Chromium to use instead of Playwright's]
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import sharp from 'sharp'

const root = fileURLToPath(new URL('../..', import.meta.url))
const INK = '#17150f'

const icon = await readFile(path.join(root, 'app/icon.svg'), 'utf8')
const mark = icon.replace(/<rect width="64" height="64"[^>]*\/>/, '').replace(/<\/?svg[^>]*>/g, '')

/**
 * Returns the icon without rounded corners, because phones cut out a shape of their own.
 * @param {number} scale the factor by which the mark is scaled. The mark must stay within the inner four fifths of a
 *   maskable icon, because phones may cut off the rest.
 */
const square = (scale) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" fill="${INK}"/>` +
  `<g transform="translate(32 32) scale(${scale}) translate(-32 -32)">${mark}</g></svg>`

/**
 * @param {string} svg
 * @param {number} size in pixels
 */
const draw = (svg, size) =>
  sharp(Buffer.from(svg), { density: (72 * size) / 64 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer()

await mkdir(path.join(root, 'public/icons'), { recursive: true })
for (const size of [192, 512]) {
  await writeFile(path.join(root, `public/icons/icon-${size}.png`), await draw(icon, size))
  await writeFile(path.join(root, `public/icons/maskable-${size}.png`), await draw(square(0.8), size))
}
await writeFile(path.join(root, 'app/apple-icon.png'), await draw(square(0.95), 180))
await writeFile(path.join(root, 'app/favicon.ico'), toIco(await draw(icon, 32), 32))

/**
 * Returns an .ico file that contains one PNG: six bytes of header, sixteen for the entry, then the PNG.
 * @param {Buffer} png
 * @param {number} size in pixels
 */
function toIco(png, size) {
  const header = Buffer.alloc(22)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(1, 4)
  header.writeUInt8(size, 6)
  header.writeUInt8(size, 7)
  header.writeUInt16LE(1, 10)
  header.writeUInt16LE(32, 12)
  header.writeUInt32LE(png.length, 14)
  header.writeUInt32LE(22, 18)
  return Buffer.concat([header, png])
}

// The preview image is set in the product's own font, so a browser draws it.
const font = await readFile(
  path.join(root, 'node_modules/@fontsource/bricolage-grotesque/files/bricolage-grotesque-latin-800-normal.woff2'),
)
const photo = async (/** @type {string} */ name) =>
  `data:image/webp;base64,${(await readFile(path.join(root, `prisma/seed/images/${name}.webp`))).toString('base64')}`
const html = `<!doctype html><style>
@font-face { font-family: Display; src: url(data:font/woff2;base64,${font.toString('base64')}); font-weight: 800 }
body { margin: 0; width: 1200px; height: 630px; background: #fbf9f5; color: ${INK}; font-family: Display; display: flex }
.words { flex: 1; display: flex; flex-direction: column; justify-content: space-between; padding: 56px }
.name { font-size: 34px; font-weight: 800 }
.fuse { height: 12px; border-radius: 6px; background: #e7e2d8; overflow: hidden }
.fuse div { width: 58%; height: 100%; border-radius: 6px; background: #c93a05 }
h1 { font-size: 76px; line-height: 1; letter-spacing: -0.035em; font-weight: 800; margin: 0 }
img { width: 240px; height: 630px; object-fit: cover; display: block }
</style><div class="words"><div class="name">Lastcall</div>
<h1>Turn followers into buyers before the clock runs out</h1><div class="fuse"><div></div></div></div>
<img src="${await photo('riso-poster-1')}"><img src="${await photo('ceramic-mug-1')}">`
const browser = await chromium.launch({ executablePath: process.argv[2] })
const page = await browser.newPage({ viewport: { width: 1200, height: 630 } })
await page.setContent(html)
await page.evaluate(() => document.fonts.ready)
const picture = await page.screenshot()
await browser.close()
await writeFile(
  path.join(root, 'public/preview.png'),
  await sharp(picture).png({ palette: true, colors: 200, dither: 0.6, compressionLevel: 9 }).toBuffer(),
)
