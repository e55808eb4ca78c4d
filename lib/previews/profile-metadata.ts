import 'server-only'
import { createHash } from 'node:crypto'
import type { Metadata } from 'next'
import { profilePath } from '@/lib/accounts/rules'
import type { DropRow } from '@/lib/drops/view'
import { brand } from '@/lib/kernel/brand'
import { cutText } from '@/lib/kernel/text'
import { previewSize } from './preview-size'

/** Returns the number of active drops in words, such as "2 active drops". */
export function activeDropsText(count: number): string {
  if (count === 0) return 'No active drops'
  return `${count} active ${count === 1 ? 'drop' : 'drops'}`
}

/** Returns a short hash that changes whenever the preview image changes. */
export function profilePreviewVersion(rows: readonly DropRow[]): string {
  const shown = rows.map((row) => `${row.id}:${row.images[0]?.key ?? ''}`).join(' ')
  return createHash('sha256').update(shown).digest('base64url').slice(0, 10)
}

/**
 * Returns the meta tags of a profile's link preview. `about` is the line "About you" of the profile and may be empty.
 */
export function profileMetadata(username: string, rows: readonly DropRow[], about: string): Metadata {
  const path = profilePath(username)
  const title = `@${username}`
  const titles = rows
    .slice(0, 3)
    .map((row) => row.title)
    .join(', ')
  const whole =
    rows.length > 0 ? `${activeDropsText(rows.length)}: ${titles}.` : `Drops by @${username} on ${brand.name}.`
  const description = cutText(about ? `${about} ${whole}` : whole, 155)
  const image = {
    url: `${path}/opengraph-image?v=${profilePreviewVersion(rows)}`,
    ...previewSize,
    alt: `${title} on ${brand.name}`,
    type: 'image/png',
  }
  return {
    title,
    description,
    alternates: { canonical: path },
    openGraph: { title, description, url: path, siteName: brand.name, type: 'profile', username, images: [image] },
    twitter: { card: 'summary_large_image', title, description, images: [image] },
  }
}
