import 'server-only'
import { lockSeller } from '@/lib/drops/guards'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { scanProfile } from '@/lib/moderation/scan-profile'
import { splitHost } from '@/lib/moderation/split-host'
import { platformError } from '@/lib/platform/messages'
import { profileError } from './messages'
import { findPublicProfile } from './queries'
import type { PublicProfileInput } from './schema'
import type { PublicProfileView } from './view'

/**
 * Changes what the seller's public profile says: the line about the seller, the links, or both. A field that is absent
 * stays as it is.
 * @throws PROHIBITED when the content scanner refuses a text; TEXT_UNCHECKED when the outside moderator does not
 *   respond; SUSPENDED when the account is suspended or deleted
 */
export async function changePublicProfile(
  ctx: Context<UserActor>,
  { about, links }: PublicProfileInput,
): Promise<PublicProfileView> {
  const { userId } = ctx.actor
  const before = await findPublicProfile(ctx, userId)
  const next = { about: about ?? before.about, links: links ?? before.links }
  // The scanner reads both fields together, even when only one of them changes. A refusal that is about both is shown
  // at the first field. If only one field changes, it is therefore put first.
  const read = [
    ...(next.about ? [['about', next.about] as const] : []),
    ...(next.links.length > 0 ? [['links', readable(next.links)] as const] : []),
  ]
  if (about === undefined) read.reverse()
  const [first] = read
  const isChecked = !first || (await scanProfile(ctx, Object.fromEntries(read)))
  if (!isChecked) throw profileError('TEXT_UNCHECKED', { field: first[0] })
  return transaction(ctx, async (tx) => {
    // The account may have been deleted or suspended while the texts were scanned.
    const seller = await lockSeller(tx, userId)
    if (!seller || seller.isSuspended) throw platformError('SUSPENDED')
    const saved = await tx.db.publicProfile.upsert({
      where: { userId },
      create: { userId, about, links },
      update: { about, links },
    })
    return { about: saved.about, links: saved.links }
  })
}

/**
 * Returns the links as one string for the scanner, without percent-encoding where it can be decoded. The host names are
 * repeated after the links, with spaces around the words that the scanner knows.
 */
function readable(links: string[]): string {
  const decoded = links.map((link) => {
    try {
      return decodeURIComponent(link)
    } catch {
      return link
    }
  })
  return [...decoded, ...links.map((link) => splitHost(new URL(link).hostname))].join(' ')
}
