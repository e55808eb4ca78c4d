import 'server-only'
import { ImageResponse } from 'next/og'
import sharp from 'sharp'
import type { DropImageRow, DropView } from '@/lib/drops/view'
import { fuseLeft } from '@/lib/drops/rules'
import { log } from '@/lib/infra/log'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { type DrawnTitle, setTitle, Title } from './draw-title'
import { loadFonts, photoDataUri } from './drawing'
import { previewStatus, previewVersion } from './drop-metadata'

export const WIDTH = 1200
export const HEIGHT = 630
/** Chat apps drop anything larger (research, checklist 48). */
const MAX_BYTES = 300_000

const PHOTO_WIDTH = 504
const PADDING = 54
const TEXT_WIDTH = WIDTH - PHOTO_WIDTH - 2 * PADDING
const TITLE_HEIGHT = 264
/** Longer titles end in dots; the tags beside the picture have them whole. */
const MAX_LETTERS = 90

const KEPT = 200
const drawn = new Map<string, Promise<Buffer>>()

/**
 * The picture of a link, drawn once per state: a crowd of apps asking for the same one waits for the same drawing. The
 * oldest go first when there are too many.
 */
export function previewOf(drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  const key = `${drop.id} ${previewVersion(drop)} ${image?.key ?? ''}`
  const known = drawn.get(key)
  if (known) return known
  const drawing = drawPreview(drop, image)
  drawn.set(key, drawing)
  const oldest = drawn.keys().next()
  if (drawn.size > KEPT && !oldest.done) drawn.delete(oldest.value)
  return drawing
}

/** The picture of a link: photo, title, price and when it ends; a stamp when it cannot be bought. A PNG. */
async function drawPreview(drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  try {
    const [photo, title] = await Promise.all([
      photoDataUri(image, { width: PHOTO_WIDTH, height: HEIGHT }),
      titleOf(drop),
    ])
    const response = new ImageResponse(<Preview drop={drop} title={title} photo={photo} />, {
      width: WIDTH,
      height: HEIGHT,
      fonts: await loadFonts(),
    })
    return await shrink(Buffer.from(await response.arrayBuffer()))
  } catch (error) {
    log().error({ cause: String(error), drop: drop.id }, 'preview not drawn')
    return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: '#FBF9F5' } })
      .png()
      .toBuffer()
  }
}

/**
 * From the finest to what always fits. A PNG has 256 colours or 16, there is nothing useful between; softening comes last,
 * since it softens the letters too.
 */
const STEPS = [
  { colours: 256, blur: 0 },
  { colours: 16, blur: 0 },
  { colours: 16, blur: 3 },
] as const

/** Makes a PNG small enough for every app. */
export async function shrink(png: Buffer): Promise<Buffer> {
  let smaller = png
  for (const { colours, blur } of STEPS) {
    const source = blur > 0 ? sharp(png).blur(blur) : sharp(png)
    smaller = await source.png({ palette: true, colours, dither: 0.6, effort: 4, compressionLevel: 6 }).toBuffer()
    if (smaller.length < MAX_BYTES) break
  }
  return smaller
}

/** A title that holds nothing to draw: the photo speaks, and the tags beside it carry the title whole. */
async function titleOf(drop: DropView): Promise<DrawnTitle | null> {
  const { username, firstName } = drop.user
  return (
    (await setTitle(drop.title, MAX_LETTERS)) ?? (await setTitle(`A drop by @${username ?? firstName}`, MAX_LETTERS))
  )
}

type PreviewProps = { drop: DropView; title: DrawnTitle | null; photo: string | null }

function Preview({ drop, title, photo }: PreviewProps) {
  const isLive = drop.state === 'live'
  const left = isLive ? fuseLeft(Date.parse(drop.startedAt), Date.parse(drop.endTime), Date.parse(drop.serverTime)) : 0
  return (
    <div
      style={{
        display: 'flex',
        width: '100%',
        height: '100%',
        background: '#FBF9F5',
        fontFamily: 'Bricolage',
        color: '#17150F',
      }}
    >
      {photo ? (
        // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- drawn into a picture, not a page
        <img
          src={photo}
          width={PHOTO_WIDTH}
          height={HEIGHT}
          style={{ objectFit: 'cover', opacity: isLive ? 1 : 0.55 }}
        />
      ) : null}
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          flex: 1,
          padding: PADDING,
          justifyContent: 'space-between',
        }}
      >
        <div style={{ display: 'flex', fontSize: 30, fontWeight: 800, color: '#6B665C' }}>{brand.name}</div>
        <div style={{ display: 'flex', flexDirection: 'column', gap: 22 }}>
          {title ? (
            <Title title={title} width={photo ? TEXT_WIDTH : WIDTH - 2 * PADDING} height={TITLE_HEIGHT} />
          ) : null}
          <div style={{ display: 'flex', fontSize: 46, fontWeight: 800 }}>{formatUsd(drop.priceCents)}</div>
        </div>
        <div style={{ display: 'flex', flexDirection: 'column', gap: 20 }}>
          <div style={{ display: 'flex', fontSize: 32, fontWeight: 800, color: isLive ? '#C93A05' : '#6B665C' }}>
            {previewStatus(drop)}
          </div>
          <div style={{ display: 'flex', width: '100%', height: 10, background: '#E7E2D8', borderRadius: 5 }}>
            <div
              style={{
                display: 'flex',
                width: `${Math.round(left * 100)}%`,
                height: 10,
                background: '#C93A05',
                borderRadius: 5,
              }}
            />
          </div>
        </div>
      </div>
    </div>
  )
}
