import 'server-only'
import { profilePath } from '@/lib/accounts/rules'
import { dropPath } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { env } from '@/lib/infra/env'
import { brand } from '@/lib/kernel/brand'
import { previewImagePath } from './drop-metadata'
import { isOurOrigin } from './origin'
import { safeDecode } from './safe-decode'

/** As long as the preview image may be kept. */
export const OEMBED_CACHE_SECONDS = 300

/** Which drop a link of ours leads to; null for any other address. */
export function identifierOfLink(link: string): string | null {
  if (!URL.canParse(link)) return null
  const { origin, pathname } = new URL(link)
  const match = /^\/drop\/([^/]+)\/?$/.exec(pathname)
  return match?.[1] && isOurOrigin(origin) ? safeDecode(match[1]) : null
}

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
    thumbnail_width: 1200,
    thumbnail_height: 630,
  }
}
