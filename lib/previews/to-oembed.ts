import 'server-only'
import { profilePath } from '@/lib/accounts/rules'
import { dropPath } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { previewImagePath } from './drop-metadata'
import { previewSize } from './preview-size'

/** As long as the preview image may be kept. */
export const OEMBED_CACHE_SECONDS = 300

/** What apps that ask by oEmbed show of a drop's link (type "link": no markup of ours in their pages). */
export function toOembed(drop: DropView) {
  const { appUrl } = env()
  const { username, firstName } = drop.user
  return {
    version: '1.0',
    type: 'link',
    title: drop.title,
    url: `${appUrl}${dropPath(drop)}`,
    author_name: username ? `@${username}` : firstName,
    ...(username ? { author_url: `${appUrl}${profilePath(username)}` } : {}),
    provider_name: brand.name,
    provider_url: appUrl,
    cache_age: OEMBED_CACHE_SECONDS,
    thumbnail_url: `${appUrl}${previewImagePath(drop)}`,
    thumbnail_width: previewSize.width,
    thumbnail_height: previewSize.height,
  }
}
