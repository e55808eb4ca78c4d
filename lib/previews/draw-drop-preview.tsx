import 'server-only'
import { sellerName } from '@/lib/accounts/rules'
import { ImageResponse } from 'next/og'
import type { ReactElement } from 'react'
import type { DropImageRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { log } from '@/lib/infra/log'
import { brand } from '@/lib/kernel/brand'
import { drawOnce } from './draw-once'
import { DrawnFuse } from './drawn-fuse'
import { DrawnPhoto } from './drawn-photo'
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
import { photoDataUri } from './photo-data-uri'
import { previewSize } from './preview-size'
import { shrinkPng } from './shrink-png'

const PHOTO_WIDTH = 504
const PADDING = 54
const TEXT_WIDTH = previewSize.width - PHOTO_WIDTH - 2 * PADDING
const TITLE_HEIGHT = 264
/** Longer titles are cut with an ellipsis. The picture's alternative text contains the whole title. */
const MAX_LETTERS = 90
/** Beside a handle with more letters there is no place for our name. */
const LONG_SELLER = 22

/** Draws the preview picture of a drop, once per state. */
export function drawDropPreview(ctx: Context, drop: PreviewedDrop, image: DropImageRow | null): Promise<Buffer> {
  const state = `drop ${drop.id} ${previewVersion(drop)} ${image?.key ?? ''}`
  return drawOnce(ctx, state, (onIncomplete) => render(drop, image, onIncomplete))
}

/**
 * Renders the PNG with photo, title, price, status and fuse. The photo is pale unless the drop is live or scheduled. If
 * the photo, our font or a font for other letters cannot be read, the picture is drawn without that part. If drawing
 * fails, the picture is drawn again without the photo and with the built-in font.
 * @param onIncomplete called when something was left out, so that the picture is not kept
 */
async function render(drop: PreviewedDrop, image: DropImageRow | null, onIncomplete: () => void): Promise<Buffer> {
  const leaveOut = (part: string) => (error: unknown) => {
    log().error({ cause: String(error), drop: drop.id, part }, 'a preview picture could not be drawn completely')
    onIncomplete()
    return null
  }
  const [photo, title, fonts] = await Promise.all([
    photoDataUri(image, { width: PHOTO_WIDTH, height: previewSize.height }).catch(leaveOut('photo')),
    titleOf(drop, setTitle).catch(leaveOut('letters')),
    loadFonts().catch(leaveOut('font')),
  ])
  try {
    return await draw(
      <Preview drop={drop} title={title ?? (await titleOf(drop, setPlainTitle))} photo={photo} />,
      fonts,
    )
  } catch (error) {
    leaveOut('picture')(error)
    return draw(<Preview drop={drop} title={await titleOf(drop, setPlainTitle)} photo={null} />, null)
  }
}

/** @param fonts null for the font that next/og contains. */
async function draw(picture: ReactElement, fonts: Awaited<ReturnType<typeof loadFonts>> | null): Promise<Buffer> {
  const response = new ImageResponse(picture, { ...previewSize, ...(fonts ? { fonts } : {}) })
  return shrinkPng(Buffer.from(await response.arrayBuffer()))
}

/** Prepares the title. If none of its letters can be drawn, a line with the seller's name replaces it. */
async function titleOf(drop: PreviewedDrop, set: typeof setTitle): Promise<DrawnTitle | null> {
  return (await set(drop.title, MAX_LETTERS)) ?? (await set(`A drop by ${sellerName(drop.user)}`, MAX_LETTERS))
}

/** Draws the seller's handle and our name. A long handle has the line for itself. */
function Names({ seller }: { seller: string | null }) {
  return (
    <div style={{ display: 'flex', justifyContent: 'space-between', fontSize: 30, color: '#6B665C' }}>
      {seller ? <span style={{ fontWeight: 800, color: '#17150F' }}>{seller}</span> : null}
      {seller && seller.length > LONG_SELLER ? null : <span>{brand.name}</span>}
    </div>
  )
}

type PreviewProps = { drop: PreviewedDrop; title: DrawnTitle | null; photo: string | null }

/** The preview picture. It is exported for a test, which cannot read the words of a PNG. */
export function Preview({ drop, title, photo }: PreviewProps) {
  const isLive = drop.state === 'live' || drop.state === 'upcoming'
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
      {photo ? <DrawnPhoto photo={photo} width={PHOTO_WIDTH} height={previewSize.height} isPale={!isLive} /> : null}
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          flex: 1,
          padding: PADDING,
          justifyContent: 'space-between',
        }}
      >
        <Names seller={drop.user.username === null ? null : sellerName(drop.user)} />
        <div style={{ display: 'flex', flexDirection: 'column', gap: 22 }}>
          {title ? (
            <Title title={title} width={photo ? TEXT_WIDTH : previewSize.width - 2 * PADDING} height={TITLE_HEIGHT} />
          ) : null}
          <div style={{ display: 'flex', fontSize: 46, fontWeight: 800 }}>{previewPrice(drop)}</div>
        </div>
        <div style={{ display: 'flex', flexDirection: 'column', gap: 20 }}>
          <div style={{ display: 'flex', fontSize: 32, fontWeight: 800, color: isLive ? '#C93A05' : '#6B665C' }}>
            {previewStatus(drop)}
          </div>
          {previewReturn(drop) || previewOrdered(drop) ? (
            <div style={{ display: 'flex', fontSize: 28, color: '#6B665C' }}>
              {previewReturn(drop) ?? previewOrdered(drop)}
            </div>
          ) : null}
          <DrawnFuse drop={drop} height={10} radius={5} />
        </div>
      </div>
    </div>
  )
}
