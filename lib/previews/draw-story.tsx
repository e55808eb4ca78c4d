import 'server-only'
import { ImageResponse } from 'next/og'
import sharp from 'sharp'
import { dropPath } from '@/lib/drops/rules'
import type { DropImageRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { drawOnce } from './draw-once'
import { DrawnFuse, DrawnPhoto } from './drawn-photo'
import { type DrawnTitle, setPlainTitle, setTitle, Title } from './drawn-title'
import {
  type PreviewedDrop,
  previewOrdered,
  previewPrice,
  previewReturn,
  previewSeller,
  previewStatus,
  previewVersion,
} from './drop-metadata'
import { loadFonts } from './load-fonts'
import { photoDataUri } from './photo-data-uri'

/** The usual size of a story. All sizes in this file are in pixels. */
const WIDTH = 1080
const HEIGHT = 1920
/** Apps cover this much of a story with their own controls, at the top and at the bottom. */
const COVERED = 250
const PHOTO = { width: 920, height: 790 }
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
    photoDataUri(image, PHOTO),
    setTitle(drop.title, MAX_LETTERS).catch(() => {
      onIncomplete()
      return setPlainTitle(drop.title, MAX_LETTERS)
    }),
  ])
  const response = new ImageResponse(<Story {...{ drop, title, photo, link }} />, {
    width: WIDTH,
    height: HEIGHT,
    fonts: await loadFonts(),
  })
  const png = Buffer.from(await response.arrayBuffer())
  // A PNG with a palette of the same size takes half a second of processor time, twenty times as much as a JPEG, and shows
  // dots in the photo. Apps turn stories into JPEG anyway.
  return sharp(png).jpeg(JPEG).toBuffer()
}

type StoryProps = { drop: PreviewedDrop; title: DrawnTitle | null; photo: string | null; link: string }

/**
 * The story picture. Nothing that matters is drawn where apps show their controls: only the names are at the top, and the
 * bottom is empty. It is exported for a test, which cannot read the words of a picture.
 */
export function Story({ drop, title, photo, link }: StoryProps) {
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
      <Header seller={drop.user.username === null ? null : previewSeller(drop)} />
      <PhotoWithFuse drop={drop} photo={photo} />
      <Facts drop={drop} title={title} />
      <LinkField link={link} />
    </div>
  )
}

function Header({ seller }: { seller: string | null }) {
  return (
    <div
      style={{ display: 'flex', width: PHOTO.width, justifyContent: 'space-between', fontSize: 40, fontWeight: 800 }}
    >
      <span style={{ color: '#6B665C', fontWeight: 400 }}>{brand.name}</span>
      {seller ? <span>{seller}</span> : null}
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
