import 'server-only'
import { findProfileUser } from '@/lib/accounts/queries'
import { profilePath } from '@/lib/accounts/rules'
import { findPublicDrop } from '@/lib/drops/queries'
import { dropPath } from '@/lib/drops/rules'
import { type Context, transaction } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { consume } from '@/lib/infra/rate-limit'
import { newSecret } from '@/lib/kernel/id'
import { mailboxOf } from '@/lib/kernel/mailbox-of'
import { knownTimeZone } from '@/lib/kernel/time'
import { countOptIn } from '@/lib/notifications/count-opt-in'
import { optInLimits } from '@/lib/notifications/opt-in-limits'
import { queueMail } from '@/lib/notifications/queue-mail'
import { refusedOptIns } from '@/lib/notifications/refused-opt-ins'
import { confirmFollowMail } from './mails'
import { consentText, followerError } from './messages'
import type { FollowInput } from './schema'

/**
 * Sends an email that asks whether its recipient wants emails about a seller's drops. A mailbox is on a seller's list
 * only once, even if it is entered with different tags (me+a@example.com). The response is the same for an address that
 * already follows, has reached today's limit or has refused such an email, so that nobody can find out who is on the
 * list. A request for a confirmed follower leaves the stored address and consent unchanged.
 * @throws SELLER_NOT_FOUND, OWN_PROFILE, TOO_MANY_REQUESTS
 */
export async function followSeller(ctx: Context, username: string, input: FollowInput): Promise<void> {
  const seller = await findProfileUser(ctx, username)
  if (!seller) throw followerError('SELLER_NOT_FOUND')
  if (ctx.actor.kind === 'user' && ctx.actor.userId === seller.id) throw followerError('OWN_PROFILE')
  const page = await pageOf(ctx, seller, input)
  const mailbox = mailboxOf(input.email)
  if ((await consume(optInLimits.mailbox, mailbox)) !== null) return
  const list = { name: 'follow-seller', id: seller.id } as const
  if (await refusedOptIns.has(list, mailbox)) return
  await countOptIn(ctx, list)
  const secret = newSecret()
  await transaction(ctx, async (tx) => {
    const [follower] = await tx.sql<{ id: number; email: string }>('ask-to-follow', ASK, {
      sellerId: seller.id,
      email: input.email,
      mailbox,
      tokenHash: sha256(secret),
      page,
      consentText: consentText(seller.username),
      timezone: knownTimeZone(input.timezone),
    })
    if (follower) await queueMail(tx, [confirmFollowMail(follower, seller.username, secret, ctx.appUrl)])
  })
}

/**
 * Returns the page from which the form was sent, as it is stored. The URL of an order page is a secret and is not
 * stored.
 */
async function pageOf(ctx: Context, seller: { id: number; username: string }, input: FollowInput): Promise<string> {
  if (input.from === 'order') return 'order page'
  if (input.from === 'profile' || input.drop === undefined) return profilePath(seller.username)
  const drop = await findPublicDrop(ctx, input.drop)
  if (drop?.userId !== seller.id) throw followerError('SELLER_NOT_FOUND')
  return dropPath(drop)
}

// The seller's account may have been deleted since it was found. Its followers were deleted with it. The lock makes a
// deletion wait, so that it also deletes this row.
// Address, page, consent and time zone are replaced only before the confirmation. Otherwise a stranger could change
// where a follower's emails go, or what the follower has agreed to.
const ASK = `
  INSERT INTO "Follower" AS f ("sellerId", "email", "mailbox", "tokenHash", "page", "consentText", "timezone")
  SELECT u."id", :email, :mailbox, :tokenHash, :page, :consentText, :timezone
    FROM "User" u WHERE u."id" = :sellerId AND u."deletedAt" IS NULL FOR SHARE
  ON CONFLICT ("sellerId", "mailbox") DO UPDATE SET "tokenHash" = EXCLUDED."tokenHash", "askedAt" = now(),
    "email" = CASE WHEN f."confirmedAt" IS NULL THEN EXCLUDED."email" ELSE f."email" END,
    "page" = CASE WHEN f."confirmedAt" IS NULL THEN EXCLUDED."page" ELSE f."page" END,
    "consentText" = CASE WHEN f."confirmedAt" IS NULL THEN EXCLUDED."consentText" ELSE f."consentText" END,
    "timezone" = CASE WHEN f."confirmedAt" IS NULL THEN EXCLUDED."timezone" ELSE f."timezone" END
  RETURNING f."id", f."email"`
