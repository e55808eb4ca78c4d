import 'server-only'
import { ImageResponse } from 'next/og'
import type { DropRow } from '@/lib/drops/view'
import type { Context } from '@/lib/infra/context'
import { brand } from '@/lib/kernel/brand'
import { drawOnce } from './draw-once'
import { loadFonts } from './load-fonts'
import { photoDataUri } from './photo-data-uri'
import { previewSize } from './preview-size'
import { activeDropsText, profilePreviewVersion } from './profile-metadata'
import { shrinkPng } from './shrink-png'

const MAX_PHOTOS = 3
/** Draws the preview picture of a profile with its name and live drops, once per state. */
export function drawProfilePreview(
  ctx: Context,
  user: { username: string },
  rows: readonly DropRow[],
): Promise<Buffer> {
  return drawOnce(ctx, `profile ${user.username} ${profilePreviewVersion(rows)}`, () => render(user.username, rows))
}

async function render(username: string, rows: readonly DropRow[]): Promise<Buffer> {
  const photos = await Promise.all(
    rows
      .slice(0, MAX_PHOTOS)
      .map((row) => photoDataUri(row.images[0] ?? null, { width: 504, height: previewSize.height })),
  )
  const response = new ImageResponse(
    <ProfilePreview username={username} count={rows.length} photos={photos.filter((photo) => photo !== null)} />,
    { ...previewSize, fonts: await loadFonts() },
  )
  return shrinkPng(Buffer.from(await response.arrayBuffer()))
}

const PHOTOS_WIDTH = 640

function ProfilePreview({ username, count, photos }: { username: string; count: number; photos: string[] }) {
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
      <div style={{ display: 'flex', flexDirection: 'column', flex: 1, padding: 56, justifyContent: 'space-between' }}>
        <div style={{ display: 'flex', fontSize: 30, fontWeight: 800, color: '#6B665C' }}>{brand.name}</div>
        <div
          style={{
            display: 'flex',
            fontSize: username.length > 11 ? 42 : 68,
            fontWeight: 800,
            letterSpacing: '-0.02em',
          }}
        >
          @{username}
        </div>
        <div style={{ display: 'flex', fontSize: 32, fontWeight: 800, color: '#6B665C' }}>{activeDropsText(count)}</div>
      </div>
      {photos.length > 0 ? (
        <div style={{ display: 'flex', width: PHOTOS_WIDTH, height: '100%' }}>
          {photos.map((photo) => (
            // eslint-disable-next-line @next/next/no-img-element, jsx-a11y/alt-text -- drawn into a picture, not a page
            <img
              key={photo.slice(-40)}
              src={photo}
              width={Math.ceil(PHOTOS_WIDTH / photos.length)}
              height={previewSize.height}
              style={{ objectFit: 'cover' }}
            />
          ))}
        </div>
      ) : (
        <div
          style={{
            display: 'flex',
            width: 480,
            height: '100%',
            background: '#17150F',
            color: '#FBF9F5',
            fontSize: 300,
            fontWeight: 800,
            alignItems: 'center',
            justifyContent: 'center',
          }}
        >
          {username.charAt(0).toUpperCase()}
        </div>
      )}
    </div>
  )
}
