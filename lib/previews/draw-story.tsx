import 'server-only'
import { ImageResponse } from 'next/og'
import sharp from 'sharp'
import { dropPath } from '@/lib/drops/rules'
import type { DropImageRow, DropView } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { drawOnce } from './draw-once'
import { DrawnFuse, DrawnPhoto } from './drawn-photo'
import { type DrawnTitle, setPlainTitle, setTitle, Title } from './drawn-title'
import { previewOrdered, previewPrice, previewReturn, previewStatus, previewVersion } from './drop-metadata'
import { loadFonts } from './load-fonts'
import { photoDataUri } from './photo-data-uri'
import { type QrSquares, toQrSquares } from './qr-squares'

/** The usual size of a story. All sizes in this file are in pixels. */
const WIDTH = 1080
const HEIGHT = 1920
/** Apps cover this much of a story with their own controls, at the top and at the bottom. */
const COVERED = 250
const PHOTO = { width: 920, height: 790 }
/** The field of the link. Sellers cover it with the link sticker of their app. */
const LINK_FIELD = { width: PHOTO.width, height: 108 }
const QR = 250
const TEXT_WIDTH = PHOTO.width - QR - 50
const TITLE_HEIGHT = 225
const MAX_LETTERS = 80

/** Draws the picture that a seller puts into a story, once per state: a PNG of 1080 × 1920. */
export function drawStory(ctx: Context, drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  const state = `story ${drop.id} ${previewVersion(drop)} ${env().appUrl} ${drop.identifier} ${drop.user.username} ${image?.key ?? ''}`
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

// Nothing that matters is drawn where apps show their controls: only the names are at the top, and the bottom is empty.
function Story({ drop, title, photo, link, qr }: StoryProps) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        alignItems: 'center',
        justifyContent: 'space-between',
        width: '100%',
        height: '100%',
        padding: `165px 80px ${COVERED}px`,
        background: '#FBF9F5',
        color: '#17150F',
        fontFamily: 'Bricolage',
      }}
    >
      <Header username={drop.user.username} />
      <PhotoWithFuse drop={drop} photo={photo} />
      <div style={{ display: 'flex', width: PHOTO.width, justifyContent: 'space-between' }}>
        <Facts drop={drop} title={title} />
        <QrCode qr={qr} />
      </div>
      <LinkField link={link} />
    </div>
  )
}

function Header({ username }: Pick<DropView['user'], 'username'>) {
  return (
    <div
      style={{ display: 'flex', width: PHOTO.width, justifyContent: 'space-between', fontSize: 40, fontWeight: 800 }}
    >
      <span style={{ color: '#6B665C', fontWeight: 400 }}>{brand.name}</span>
      {username ? <span>{`@${username}`}</span> : null}
    </div>
  )
}

/** Draws the link in a frame as large as the sticker that sellers put over it. Without the sticker the link can be read. */
function LinkField({ link }: Pick<StoryProps, 'link'>) {
  return (
    <div
      style={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        ...LINK_FIELD,
        border: '3px solid #D8D1C3',
        borderRadius: LINK_FIELD.height / 2,
        fontSize: 34,
        color: '#6B665C',
      }}
    >
      {link.replace(/^https?:\/\//, '').slice(0, 46)}
    </div>
  )
}

/**
 * Draws the photo, or an empty area in its place. Below it is the fuse, a bar whose length shows how much time is left.
 */
function PhotoWithFuse({ drop, photo }: Pick<StoryProps, 'drop' | 'photo'>) {
  const isLive = drop.state === 'live' || drop.state === 'scheduled'
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
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
      <div style={{ display: 'flex', marginTop: 22, fontSize: 54, fontWeight: 800 }}>{previewPrice(drop)}</div>
      <div
        style={{
          display: 'flex',
          marginTop: 8,
          // "Open until" with its time is longer than the other texts, and has to fit into one line.
          fontSize: drop.isOpenEdition ? 35 : 40,
          fontWeight: 800,
          color: drop.state === 'live' || drop.state === 'scheduled' ? '#C93A05' : '#6B665C',
        }}
      >
        {previewStatus(drop)}
      </div>
      {previewReturn(drop) || previewOrdered(drop) ? (
        <div style={{ display: 'flex', marginTop: 8, fontSize: 32, color: '#6B665C' }}>
          {previewReturn(drop) ?? previewOrdered(drop)}
        </div>
      ) : null}
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
