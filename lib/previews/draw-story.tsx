import 'server-only'
import { sellerName } from '@/lib/accounts/rules'
import { ImageResponse } from 'next/og'
import sharp, { type OverlayOptions } from 'sharp'
import { dropPath } from '@/lib/drops/rules'
import type { DropImageRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { drawOnce } from './draw-once'
import { DrawnFuse } from './drawn-fuse'
import { type DrawnTitle, setPlainTitle, setTitle, Title } from './drawn-title'
import {
  type PreviewedDrop,
  previewOrdered,
  previewPrice,
  previewReturn,
  previewStatus,
  previewVersion,
} from './drop-metadata'
import { loadFonts } from './load-fonts'
import { readPhoto } from './read-photo'

/** The usual size of a story. All sizes in this file are in pixels. */
const WIDTH = 1080
const HEIGHT = 1920
/** Apps cover this much of a story with their own controls, at the top and at the bottom. */
const COVERED = 250
const PHOTO = { width: 920, height: 790 }
const PHOTO_RADIUS = 36
const PADDING = 80
const HEADER = { top: 165, height: 48, gap: 60 }
const PHOTO_TOP = HEADER.top + HEADER.height + HEADER.gap
/** The field of the link. Sellers cover it with the link sticker of their app. */
const LINK_FIELD = { width: PHOTO.width, height: 108 }
const TITLE_HEIGHT = 225
const MAX_LETTERS = 80
/** Colors keep their full resolution (4:4:4), because the edges of colored letters would be blurred otherwise. */
const JPEG = { quality: 88, chromaSubsampling: '4:4:4' }

/** Draws the picture that a seller puts into a story, once per state: a JPEG of 1080 × 1920. */
export function drawStory(ctx: Context, drop: PreviewedDrop, image: DropImageRow | null): Promise<Buffer> {
  const state = `story ${drop.id} ${previewVersion(drop)} ${env().appUrl} ${drop.identifier} ${image?.key ?? ''}`
  return drawOnce(ctx, state, (onIncomplete) => render(drop, image, onIncomplete), 'jpg')
}

async function render(drop: PreviewedDrop, image: DropImageRow | null, onIncomplete: () => void): Promise<Buffer> {
  const link = env().appUrl + dropPath(drop)
  const [photo, title] = await Promise.all([
    preparePhoto(drop, image).catch(() => {
      onIncomplete()
      return null
    }),
    setTitle(drop.title, MAX_LETTERS).catch(() => {
      onIncomplete()
      return setPlainTitle(drop.title, MAX_LETTERS)
    }),
  ])
  const response = new ImageResponse(<Story drop={drop} title={title} link={link} />, {
    width: WIDTH,
    height: HEIGHT,
    fonts: await loadFonts(),
  })
  const png = Buffer.from(await response.arrayBuffer())
  // A PNG with a palette of the same size takes half a second of processor time, twenty times as much as a JPEG, and
  // shows dots in the photo. Apps turn stories into JPEG anyway.
  return sharp(png)
    .composite(photo ? [photo] : [])
    .jpeg(JPEG)
    .toBuffer()
}

/**
 * Prepares the photo for its place in the story: cropped, with round corners at the top, and pale when the drop is
 * neither live nor scheduled. It is not part of what ImageResponse draws, because that takes three times as long.
 */
async function preparePhoto(drop: PreviewedDrop, image: DropImageRow | null): Promise<OverlayOptions | null> {
  const bytes = await readPhoto(image, PHOTO.width)
  if (!bytes) return null
  const isPale = drop.state !== 'live' && drop.state !== 'upcoming'
  const { width, height } = PHOTO
  const veil = { create: { width, height, channels: 4 as const, background: { r: 231, g: 226, b: 216, alpha: 0.45 } } }
  const shape = Buffer.from(
    `<svg width="${width}" height="${height}"><rect width="${width}" height="${height + PHOTO_RADIUS}" rx="${PHOTO_RADIUS}"/></svg>`,
  )
  const { data, info } = await sharp(bytes)
    .resize(width, height, { fit: 'cover' })
    .ensureAlpha()
    .composite([...(isPale ? [{ input: veil }] : []), { input: shape, blend: 'dest-in' }])
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { input: data, raw: { width, height, channels: info.channels }, left: PADDING, top: PHOTO_TOP }
}

type StoryProps = { drop: PreviewedDrop; title: DrawnTitle | null; link: string }

/**
 * The story picture without its photo. Nothing that matters is drawn where apps show their controls: only the names are
 * at the top, and the bottom is empty. It is exported for a test, which cannot read the words of a picture.
 */
export function Story({ drop, title, link }: StoryProps) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: '100%',
        height: '100%',
        padding: `${HEADER.top}px ${PADDING}px ${COVERED}px`,
        background: '#FBF9F5',
        color: '#17150F',
        fontFamily: 'Bricolage',
      }}
    >
      <Header seller={drop.user.username === null ? null : sellerName(drop.user)} />
      <PhotoWithFuse drop={drop} />
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          justifyContent: 'space-between',
          flexGrow: 1,
          marginTop: 48,
        }}
      >
        <Facts drop={drop} title={title} />
        <LinkField link={link} />
      </div>
    </div>
  )
}

function Header({ seller }: { seller: string | null }) {
  return (
    <div
      style={{
        display: 'flex',
        justifyContent: 'space-between',
        width: PHOTO.width,
        height: HEADER.height,
        marginBottom: HEADER.gap,
        fontSize: 40,
        fontWeight: 800,
      }}
    >
      <span style={{ color: '#6B665C', fontWeight: 400 }}>{brand.name}</span>
      {seller ? <span>{seller}</span> : null}
    </div>
  )
}

/**
 * Draws the link in a frame as large as the sticker that sellers put over it. Without the sticker the link can be read.
 */
function LinkField({ link }: Pick<StoryProps, 'link'>) {
  const text = link.replace(/^https?:\/\//, '')
  return (
    <div
      style={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        ...LINK_FIELD,
        border: '3px solid #D8D1C3',
        borderRadius: LINK_FIELD.height / 2,
        // A letter is about 0.56 times as wide as its size, so a long link is written smaller and never cut.
        fontSize: Math.min(34, Math.floor((LINK_FIELD.width - 60) / (0.56 * text.length))),
        color: '#6B665C',
      }}
    >
      {text}
    </div>
  )
}

/**
 * Draws the place of the photo. Below it is the fuse, a bar whose length shows how much time is left.
 */
function PhotoWithFuse({ drop }: Pick<StoryProps, 'drop'>) {
  return (
    <div
      style={{
        display: 'flex',
        flexDirection: 'column',
        width: PHOTO.width,
        borderRadius: PHOTO_RADIUS,
        overflow: 'hidden',
        background: '#E7E2D8',
      }}
    >
      <div style={{ display: 'flex', ...PHOTO }} />
      <DrawnFuse drop={drop} height={18} radius={0} />
    </div>
  )
}

/** Draws the text below the photo: title, price and status. */
function Facts({ drop, title }: Pick<StoryProps, 'drop' | 'title'>) {
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: PHOTO.width }}>
      {title ? <Title title={title} width={PHOTO.width} height={TITLE_HEIGHT} /> : null}
      <div style={{ display: 'flex', marginTop: 22, fontSize: 54, fontWeight: 800 }}>{previewPrice(drop)}</div>
      <div
        style={{
          display: 'flex',
          marginTop: 8,
          fontSize: 44,
          fontWeight: 800,
          color: drop.state === 'live' || drop.state === 'upcoming' ? '#C93A05' : '#6B665C',
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
