import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { editDropSchema } from '@/lib/drops/schema'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { forgetEarlyLinks } from '@/lib/followers/forget-early-links'
import { unfollowLinks } from '@/lib/followers/unfollow-links'
import { leaveSeller } from '@/lib/followers/leave-seller'
import { leaveSellerSchema } from '@/lib/followers/schema'
import { systemContext } from '@/lib/infra/context'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { addFollower } from '@/tests/support/make-early-drop'
import { actorOf, contextFor, makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const job = () => systemContext('followers')
const later = (ms: number) => new Date(Date.now() + ms)

/**
 * Makes a seller with followers, and a drop whose early access opens in `ms` milliseconds, an hour before its start.
 */
async function opensIn(ms: number, followers = 1) {
  const seller = await makeSeller()
  const all = await Promise.all(Array.from({ length: followers }, () => addFollower(seller.id)))
  const startedAt = later(ms + HOUR_MS)
  const times = { startedAt, endTime: new Date(startedAt.getTime() + DAY_MS) }
  const drop = await makeDrop({ userId: seller.id, ...times, earlyMinutes: 60, earlyUnits: 5 })
  return { seller, drop, followers: all }
}

const mailsOf = (dropId: number) =>
  db().outboxMail.findMany({
    where: { dedupeKey: { startsWith: 'follow-', contains: `:${dropId}:` } },
    orderBy: { id: 'asc' },
  })
const kindsOf = async (dropId: number) => (await mailsOf(dropId)).map(({ dedupeKey }) => dedupeKey.split(':')[0])
const tokenIn = (text: string) => /[?&]early=([\w-]+)/.exec(text)?.[1] ?? ''
const change = (id: number, data: Parameters<ReturnType<typeof db>['drop']['update']>[0]['data']) =>
  db().drop.update({ where: { id }, data })

it('each follower gets one personal link, ten minutes before early access opens, instead of the email about the start', async () => {
  const { drop, followers } = await opensIn(8 * MINUTE_MS, 3)
  for (let run = 0; run < 3; run += 1) await notifyFollowers(job())
  const mails = await mailsOf(drop.id)
  expect(await kindsOf(drop.id)).toEqual(['follow-live', 'follow-live', 'follow-live'])
  expect(new Set(mails.map(({ to }) => to))).toEqual(new Set(followers.map(({ email }) => email)))
  const tokens = mails.map(({ text }) => tokenIn(text))
  expect(new Set(tokens).size).toBe(3)
  const links = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  expect(new Set(links.map(({ tokenHash }) => tokenHash))).toEqual(new Set(tokens.map(sha256)))
  for (const mail of mails) {
    expect(mail).toMatchObject({ isBulk: true, expiresAt: drop.startedAt })
    expect(mail.subject).toContain('Your early access to Test mug')
    expect(mail.text).toContain('works for one order')
    expect(mail.text).toContain('/follow/stop?')
  }
  await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
  await change(drop.id, { startedAt: later(-MINUTE_MS) })
  await notifyFollowers(job())
  // The public start sends no second email.
  expect(await kindsOf(drop.id)).toHaveLength(3)
})

it('long before early access the drop is announced, and nobody gets a link', async () => {
  const { drop } = await opensIn(HOUR_MS)
  await notifyFollowers(job())
  expect(await kindsOf(drop.id)).toEqual(['follow-scheduled'])
  expect(tokenIn((await mailsOf(drop.id))[0]!.text)).toBe('')
  expect(await db().earlyLink.count({ where: { dropId: drop.id } })).toBe(0)
})

it('the announcement of a drop with early access says that followers get a link', async () => {
  const { drop } = await opensIn(HOUR_MS)
  await notifyFollowers(job())
  expect((await mailsOf(drop.id))[0]?.text).toContain('Followers can buy first')
})

it('once a link was sent, the times of the start and of early access are fixed, but the drop can still be ended', async () => {
  const { drop, seller } = await opensIn(12 * MINUTE_MS)
  const edit = (fields: object) =>
    editDrop(contextFor(actorOf(seller)), { dropId: drop.id, fields: editDropSchema.parse(fields), images: [] })
  await notifyFollowers(job())
  await edit({ earlyMinutes: '30' })
  await edit({ earlyMinutes: '60' })
  await notifyFollowers(job())
  await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
  for (const fields of [{ startsAt: later(DAY_MS).toISOString() }, { startsAt: 'now' }]) {
    await expect(edit(fields)).rejects.toMatchObject({ code: 'EARLY_SENT', field: 'startsAt' })
  }
  await expect(edit({ earlyMinutes: null })).rejects.toMatchObject({ code: 'EARLY_SENT', field: 'earlyMinutes' })
  await edit({ earlyUnits: '3', title: 'Better mug' })
  await endDrop(contextFor(actorOf(seller)), { dropId: drop.id })
})

it('unsent links are replaced when the start is moved, and withdrawn when early access is canceled', async () => {
  const { drop } = await opensIn(5 * MINUTE_MS)
  await notifyFollowers(job())
  const [first] = await mailsOf(drop.id)
  const startedAt = later(HOUR_MS + 8 * MINUTE_MS)
  await change(drop.id, { startedAt, endTime: new Date(startedAt.getTime() + DAY_MS) })
  await notifyFollowers(job())
  const [second, none] = await mailsOf(drop.id)
  expect(none).toBeUndefined()
  expect(second?.expiresAt).toEqual(startedAt)
  expect(tokenIn(second!.text)).not.toBe(tokenIn(first!.text))
  // Only the newest link works.
  const links = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  expect(links.map(({ tokenHash }) => tokenHash)).toEqual([sha256(tokenIn(second!.text))])
  await change(drop.id, { earlyMinutes: null, earlyUnits: null })
  await notifyFollowers(job())
  expect((await mailsOf(drop.id)).filter(({ text }) => tokenIn(text) !== '')).toEqual([])
})

it('a link that was sent keeps working when the email of another follower has to be queued again', async () => {
  const { drop } = await opensIn(8 * MINUTE_MS, 3)
  await notifyFollowers(job())
  const [unsent, ...sent] = await mailsOf(drop.id)
  await db().outboxMail.updateMany({ where: { id: { in: sent.map(({ id }) => id) } }, data: { sentAt: new Date() } })
  await change(drop.id, { isActive: false })
  await notifyFollowers(job())
  expect(await db().outboxMail.count({ where: { id: unsent!.id } })).toBe(0)
  await change(drop.id, { isActive: true })
  await notifyFollowers(job())
  const tokens = (await mailsOf(drop.id)).map(({ text }) => sha256(tokenIn(text)))
  expect(tokens).toHaveLength(3)
  const links = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  expect(links.map(({ tokenHash }) => tokenHash).sort()).toEqual(tokens.sort())
})

it('a link that was not sent before the public start is replaced by the email that the drop has started', async () => {
  const { drop } = await opensIn(5 * MINUTE_MS)
  await notifyFollowers(job())
  await change(drop.id, { startedAt: later(-MINUTE_MS) })
  await notifyFollowers(job())
  const mails = await mailsOf(drop.id)
  expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('has started')])
  expect(tokenIn(mails[0]!.text)).toBe('')
})

it('someone who confirms after the links were queued gets the email that the drop has started, and nobody else gets one', async () => {
  const { drop, seller } = await opensIn(8 * MINUTE_MS, 2)
  await notifyFollowers(job())
  await db().outboxMail.updateMany({ data: { sentAt: new Date() } })
  const late = await addFollower(seller.id)
  await notifyFollowers(job())
  expect(await mailsOf(drop.id)).toHaveLength(2)
  await change(drop.id, { startedAt: later(-MINUTE_MS) })
  for (let run = 0; run < 3; run += 1) await notifyFollowers(job())
  const mails = await mailsOf(drop.id)
  expect(mails).toHaveLength(3)
  expect(mails[2]).toMatchObject({ to: late.email, subject: expect.stringContaining('has started') })
  expect(tokenIn(mails[2]!.text)).toBe('')
  const [notice] = await db().followerNotice.findMany({ where: { dropId: drop.id, kind: 'live' } })
  expect(notice?.doneAt).not.toBeNull()
})

it('no link is sent for a drop that is hidden, in review or paused, or whose units for followers are taken', async () => {
  for (const hindrance of [{ hiddenAt: new Date() }, { moderation: 'review' as const }, { isActive: false }]) {
    const { drop } = await opensIn(5 * MINUTE_MS)
    await change(drop.id, hindrance)
    await notifyFollowers(job())
    expect(await mailsOf(drop.id)).toEqual([])
  }
  const { drop } = await opensIn(-MINUTE_MS)
  await change(drop.id, { sold: 5, earlyTaken: 5 })
  await notifyFollowers(job())
  expect(await mailsOf(drop.id)).toEqual([])
})

it('someone who leaves after getting a link and follows again gets no second one', async () => {
  const { drop, seller, followers } = await opensIn(5 * MINUTE_MS)
  await notifyFollowers(job())
  const follower = followers[0]!
  await sendDueMail(job())
  const leave = new URL(unfollowLinks(follower.id, job().appUrl).pageUrl).searchParams
  await leaveSeller(visitor(), leaveSellerSchema.parse(Object.fromEntries(leave)))
  const [left] = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  expect(left).toMatchObject({ followerId: null })
  const { email, mailbox, page, consentText } = follower
  const again = { email, mailbox, page, consentText, tokenHash: `${mailbox}-2`, confirmedAt: new Date() }
  await db().follower.create({ data: { ...again, sellerId: seller.id } })
  await db().followerNotice.updateMany({ where: { dropId: drop.id }, data: { doneAt: null } })
  await notifyFollowers(job())
  const links = await db().earlyLink.findMany({ where: { dropId: drop.id } })
  expect(links.map(({ id }) => id)).toEqual([left!.id])
})

it('links are deleted a month after the start', async () => {
  const { drop } = await opensIn(5 * MINUTE_MS)
  await notifyFollowers(job())
  await change(drop.id, { startedAt: later(-31 * DAY_MS) })
  await forgetEarlyLinks(job(), 500)
  expect(await db().earlyLink.count({ where: { dropId: drop.id } })).toBe(0)
})

it('links are deleted a month after the start with early access, although the drop was launched again since', async () => {
  const { drop } = await opensIn(5 * MINUTE_MS)
  await notifyFollowers(job())
  const firstRun = { dropId: drop.id, run: 1, quantity: drop.quantity }
  const startedAt = later(-29 * DAY_MS)
  const { id } = await db().dropRun.create({ data: { ...firstRun, startedAt, endTime: later(-28 * DAY_MS) } })
  await change(drop.id, {
    run: 2,
    startedAt: later(-DAY_MS),
    endTime: later(DAY_MS),
    earlyMinutes: null,
    earlyUnits: null,
  })
  await forgetEarlyLinks(job(), 500)
  expect(await db().earlyLink.count({ where: { dropId: drop.id } })).toBe(1)
  await db().dropRun.update({ where: { id }, data: { startedAt: later(-31 * DAY_MS) } })
  await forgetEarlyLinks(job(), 500)
  expect(await db().earlyLink.count({ where: { dropId: drop.id } })).toBe(0)
})
