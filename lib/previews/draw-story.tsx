import 'server-only'
import { ImageResponse } from 'next/og'
import sharp from 'sharp'
import { dropPath } from '@/lib/drops/rules'
import type { DropImageRow, DropView } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { drawOnce } from './draw-once'
import { DrawnFuse, DrawnPhoto } from './drawn-photo'
import { type DrawnTitle, setPlainTitle, setTitle, Title } from './drawn-title'
import { previewStatus, previewVersion } from './drop-metadata'
import { loadFonts } from './load-fonts'
import { photoDataUri } from './photo-data-uri'
import { type QrSquares, toQrSquares } from './qr-squares'

/** The size that all apps with stories use. All sizes in this file are in pixels. */
const WIDTH = 1080
const HEIGHT = 1920
const PHOTO = { width: 920, height: 1040 }
const QR = 250
const TEXT_WIDTH = PHOTO.width - QR - 50
const TITLE_HEIGHT = 225
const MAX_LETTERS = 80

/** Draws the picture that a seller puts into a story, once per state: a PNG of 1080 × 1920. */
export function drawStory(ctx: Context, drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  const state = `story ${drop.id} ${previewVersion(drop)} ${env().appUrl} ${drop.identifier} ${image?.key ?? ''}`
  return drawOnce(ctx, state, (onIncomplete) => render(drop, image, onIncomplete))
}

async function render(drop: DropView, image: DropImageRow | null, onIncomplete: () => void): Promise<Buffer> {
  const link = env().appUrl + dropPath(drop)
  const [photo, title] = await Promise.all([
    photoDataUri(image, PHOTO),
    setTitle(drop.title, MAX_LETTERS).catch(() => {
      onIncomplete()
      return setPlainTitle(drop.title, MAX_LETTERS)
    }),
  ])
  const response = new ImageResponse(<Story {...{ drop, title, photo, link, qr: toQrSquares(link) }} />, {
    width: WIDTH,
    height: HEIGHT,
    fonts: await loadFonts(),
  })
  const png = Buffer.from(await response.arrayBuffer())
  return sharp(png).png({ palette: true, colours: 256, dither: 0.9, compressionLevel: 9 }).toBuffer()
}

type StoryProps = { drop: DropView; title: DrawnTitle | null; photo: string | null; link: string; qr: QrSquares }

// Apps cover about 250 pixels of a story at the top and at the bottom with their own controls, so only the name of the
// platform is placed there.
function Story({ drop, title, photo, link, qr }: StoryProps) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        width: '100%',
        height: '100%',
        padding: '150px 80px 0',
        background: '#FBF9F5',
        color: '#17150F',
        fontFamily: 'Bricolage',
      }}
    >
      <Header />
      <PhotoWithFuse drop={drop} photo={photo} />
      <div style={{ display: 'flex', width: PHOTO.width, marginTop: 44, justifyContent: 'space-between' }}>
        <Facts drop={drop} title={title} />
        <QrCode qr={qr} />
      </div>
      <div style={{ display: 'flex', width: PHOTO.width, marginTop: 26, fontSize: 34, color: '#6B665C' }}>
        {link.replace(/^https?:\/\//, '').slice(0, 52)}
      </div>
    </div>
  )
}

function Header() {
  return (
    <div style={{ display: 'flex', fontSize: 40, fontWeight: 800 }}>
      {brand.name}
      <span style={{ marginLeft: 16, fontWeight: 400, color: '#6B665C' }}>{brand.tagline}</span>
    </div>
  )
}

/** Draws the photo, or its empty place. Below it is the fuse, a bar as long as the share of the time that is left. */
function PhotoWithFuse({ drop, photo }: Pick<StoryProps, 'drop' | 'photo'>) {
  const isLive = drop.state === 'live' || drop.state === 'scheduled'
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        marginTop: 40,
        width: PHOTO.width,
        borderRadius: 36,
        overflow: 'hidden',
        background: '#E7E2D8',
      }}
    >
      {photo ? <DrawnPhoto photo={photo} {...PHOTO} isPale={!isLive} /> : <div style={{ display: 'flex', ...PHOTO }} />}
      <DrawnFuse drop={drop} height={18} radius={0} />
    </div>
  )
}

/** Draws the text beside the QR code: title, price and status. */
function Facts({ drop, title }: Pick<StoryProps, 'drop' | 'title'>) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: TEXT_WIDTH }}>
      {title ? <Title title={title} width={TEXT_WIDTH} height={TITLE_HEIGHT} /> : null}
      <div style={{ display: 'flex', marginTop: 22, fontSize: 54, fontWeight: 800 }}>{formatUsd(drop.priceCents)}</div>
      <div
        style={{
          display: 'flex',
          marginTop: 8,
          fontSize: 40,
          fontWeight: 800,
          color: drop.state === 'live' || drop.state === 'scheduled' ? '#C93A05' : '#6B665C',
        }}
      >
        {previewStatus(drop)}
      </div>
    </div>
  )
}

function QrCode({ qr }: Pick<StoryProps, 'qr'>) {
  return (
    <div
      style={{
        display: 'flex',
        width: QR,
        height: QR,
        padding: 10,
        background: '#FFFFFF',
        borderRadius: 24,
        border: '2px solid #E7E2D8',
      }}
    >
      <svg width={QR - 24} height={QR - 24} viewBox={`0 0 ${qr.size} ${qr.size}`}>
        <path d={qr.path} fill="#17150F" />
      </svg>
    </div>
  )
}
