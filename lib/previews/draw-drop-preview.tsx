import 'server-only'
import { ImageResponse } from 'next/og'
import sharp from 'sharp'
import { fuseLeft } from '@/lib/drops/rules'
import type { DropImageRow, DropView } from '@/lib/drops/view'
import { QueueFull } from '@/lib/infra/bounded-queue'
import type { Context } from '@/lib/infra/context'
import { log } from '@/lib/infra/log'
import { brand } from '@/lib/kernel/brand'
import { formatUsd } from '@/lib/kernel/money'
import { drawOnce } from './draw-once'
import { type DrawnTitle, setTitle, Title } from './drawn-title'
import { previewStatus, previewVersion } from './drop-metadata'
import { loadFonts } from './load-fonts'
import { photoDataUri } from './photo-data-uri'
import { previewSize } from './preview-size'
import { shrinkPng } from './shrink-png'

const PHOTO_WIDTH = 504
const PADDING = 54
const TEXT_WIDTH = previewSize.width - PHOTO_WIDTH - 2 * PADDING
const TITLE_HEIGHT = 264
/** Longer titles are cut with an ellipsis; the meta tags contain the whole title. */
const MAX_LETTERS = 90

/** Draws the preview picture of a drop, once per state. A drawing that fails is replaced by an empty picture. */
export async function drawDropPreview(ctx: Context, drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  try {
    const state = `drop ${drop.id} ${previewVersion(drop)} ${image?.key ?? ''}`
    return await drawOnce(ctx, state, () => render(drop, image))
  } catch (error) {
    if (error instanceof QueueFull) throw error
    log().error({ cause: String(error), drop: drop.id }, 'preview image not drawn')
    return sharp({ create: { ...previewSize, channels: 3, background: '#FBF9F5' } })
      .png()
      .toBuffer()
  }
}

/** Renders the PNG: photo, title, price and end time; a stamp when the drop cannot be bought. */
async function render(drop: DropView, image: DropImageRow | null): Promise<Buffer> {
  const [photo, title] = await Promise.all([
    photoDataUri(image, { width: PHOTO_WIDTH, height: previewSize.height }),
    titleOf(drop),
  ])
  const response = new ImageResponse(<Preview drop={drop} title={title} photo={photo} />, {
    ...previewSize,
    fonts: await loadFonts(),
  })
  return shrinkPng(Buffer.from(await response.arrayBuffer()))
}

/** Sets the title; when none of its letters can be drawn, a line with the seller's name replaces it. */
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
          height={previewSize.height}
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
            <Title title={title} width={photo ? TEXT_WIDTH : previewSize.width - 2 * PADDING} height={TITLE_HEIGHT} />
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
