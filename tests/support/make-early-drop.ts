import { issueEarlyLinks } from '@/lib/followers/issue-early-links'
import { db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { makeDrop, makeSeller } from './factories'

/** Adds a confirmed follower of a seller. */
export function addFollower(sellerId: number) {
  const mailbox = `${newSecret().toLowerCase()}@example.com`
  const consent = { page: '/', consentText: 'Yes', confirmedAt: new Date() }
  return db().follower.create({ data: { sellerId, email: mailbox, mailbox, tokenHash: mailbox, ...consent } })
}

/**
 * Makes a drop whose early access is open: it starts in half an hour, and its followers have been able to buy for
 * half an hour.
 * @param overrides.followers how many followers get a link
 */
export async function makeEarlyDrop({
  followers: count = 1,
  ...overrides
}: Partial<Parameters<typeof makeDrop>[0]> & { followers?: number } = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const startedAt = new Date(Date.now() + 30 * MINUTE_MS)
  const times = { startedAt, endTime: new Date(startedAt.getTime() + 24 * HOUR_MS) }
  const early = { earlyMinutes: 60, earlyUnits: 5 }
  const drop = await makeDrop({ quantity: 10, userId: seller.id, ...times, ...early, ...overrides })
  const { quantity, earlyMinutes = null } = drop
  const run = { dropId: drop.id, run: 1, quantity, earlyMinutes, startedAt: drop.startedAt, endTime: drop.endTime }
  await db().dropRun.create({ data: run })
  const followers = await Promise.all(Array.from({ length: count }, () => addFollower(seller.id)))
  const issued = await issueEarlyLinks(systemContext('test'), drop.id, followers)
  const tokens = followers.map(({ id }) => issued.get(id) ?? '')
  const links = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  const linkIds = followers.map((follower) => links.find(({ followerId }) => followerId === follower.id)?.id ?? 0)
  return { seller, drop, followers, tokens, token: tokens[0] ?? '', linkIds }
}
