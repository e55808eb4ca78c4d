import 'server-only'
import { profilePath, sellerName } from '@/lib/accounts/rules'
import { dropPath } from '@/lib/drops/rules'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { type PreviewedDrop, previewImagePath } from './drop-metadata'
import { previewSize } from './preview-size'

/** How long the data may be cached, which is as long as for the preview image. */
export const OEMBED_CACHE_SECONDS = 300

/** Builds the oEmbed data of a drop's link. The type is "link", so that other pages contain no markup of ours. */
export function toOembed(drop: PreviewedDrop) {
  const { appUrl } = env()
  const { username } = drop.user
  return {
    version: '1.0',
    type: 'link',
    title: drop.title,
    url: `${appUrl}${dropPath(drop)}`,
    author_name: sellerName(drop.user),
    ...(username ? { author_url: `${appUrl}${profilePath(username)}` } : {}),
    provider_name: brand.name,
    provider_url: appUrl,
    cache_age: OEMBED_CACHE_SECONDS,
    thumbnail_url: `${appUrl}${previewImagePath(drop)}`,
    thumbnail_width: previewSize.width,
    thumbnail_height: previewSize.height,
  }
}
