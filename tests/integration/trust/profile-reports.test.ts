import { readHealth } from '@/lib/admin/read-overview'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { changePublicProfile } from '@/lib/profiles/change-public-profile'
import { findPublicProfile } from '@/lib/profiles/queries'
import { clearProfile } from '@/lib/trust/clear-profile'
import { keepProfile } from '@/lib/trust/keep-profile'
import { listReportedProfiles } from '@/lib/trust/queries'
import { reportProfile } from '@/lib/trust/report-profile'
import { clearProfileSchema } from '@/lib/trust/schema'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const asAdmin = async () => contextFor(actorOf(await makeSeller({ isAdmin: true })))
const written = { about: 'Ask me about everything.', links: ['https://juno.example/'] }

async function profile() {
  const user = await makeSeller()
  await changePublicProfile(contextFor(actorOf(user)), written)
  return user
}

let networks = 0
/** Reports a profile from a network that has reported nothing yet. */
async function report(userId: number, details = 'It insults people.') {
  networks += 1
  await reportProfile({ ...visitor(), network: `10.9.${networks}.1` }, userId, { category: 'hate', details })
}

const reportedOf = async (userId: number) =>
  (await listReportedProfiles(db())).find((reported) => reported.userId === userId)
const mailsTo = (to: string) => db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })

it('a reported profile is listed with its texts and counted, and an administrator can keep it', async () => {
  const user = await profile()
  const before = (await readHealth(database())).openReviews
  await report(user.id)
  await report(user.id, 'Look at the link.')
  expect((await readHealth(database())).openReviews).toBe(before + 1)
  const reported = await reportedOf(user.id)
  expect(reported).toMatchObject({ username: user.username, ...written })
  expect(reported?.reports.map(({ details }) => details)).toEqual(['It insults people.', 'Look at the link.'])

  // A report that arrives while the administrator decides stays open.
  const lastReportId = reported!.reports[1]!.id
  await report(user.id, 'One more.')
  await keepProfile(await asAdmin(), { userId: user.id, lastReportId })
  expect((await reportedOf(user.id))?.reports.map(({ details }) => details)).toEqual(['One more.'])
  expect(await findPublicProfile(database(), user.id)).toEqual(written)
  await expect(keepProfile(await asAdmin(), { userId: user.id, lastReportId })).rejects.toMatchObject({
    code: 'REVIEW_DECIDED',
  })
})

it('of more profiles than the list shows, those that were reported first are listed', async () => {
  const ids: number[] = []
  for (let at = 0; at < 101; at += 1) ids.push((await makeSeller()).id)
  const userIds = ids.toReversed()
  await db().profileReport.createMany({ data: userIds.map((userId) => ({ userId, category: 'hate' })) })
  const listed = (await listReportedProfiles(db())).map(({ userId }) => userId)
  expect(listed.filter((id) => ids.includes(id)).slice(0, 90)).toEqual(userIds.slice(0, 90))
  await db().profileReport.deleteMany({ where: { userId: { in: ids } } })
})

it('the texts are removed once, with an email that states the reason, and the account stays as it is', async () => {
  const user = await profile()
  const admin = await asAdmin()
  await report(user.id)
  const clear = () => clearProfile(admin, { userId: user.id, reason: 'It insults people.' })
  const outcomes = await Promise.allSettled([clear(), clear()])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  await expect(clear()).rejects.toMatchObject({ code: 'PROFILE_EMPTY' })
  expect(await findPublicProfile(database(), user.id)).toEqual({ about: '', links: [] })
  expect(await reportedOf(user.id)).toBeUndefined()
  const mails = await mailsTo(user.email)
  expect(mails.map(({ subject }) => subject)).toEqual(['We removed the text on your profile'])
  expect(mails[0]?.text).toContain('Our reason: It insults people.')
  const [entry] = await db().auditEntry.findMany({ where: { action: 'profile.clear', targetId: String(user.id) } })
  expect(entry).toMatchObject({
    actorId: admin.actor.userId,
    before: { about: written.about, links: 'https://juno.example/' },
    after: { reason: 'It insults people.' },
  })
  const now = await db().user.findUniqueOrThrow({ where: { id: user.id } })
  expect(now).toMatchObject({ isSuspended: false })
  expect(await db().strike.count({ where: { userId: user.id } })).toBe(0)
  // The seller can write again.
  await changePublicProfile(contextFor(actorOf(user)), { about: 'Stoneware.' })
  expect(await findPublicProfile(database(), user.id)).toMatchObject({ about: 'Stoneware.' })
})

it('only administrators decide, and a reason is required', async () => {
  const user = await profile()
  const seller = contextFor(actorOf(await makeSeller()))
  await report(user.id)
  await expect(clearProfile(seller, { userId: user.id, reason: 'x' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(keepProfile(seller, { userId: user.id, lastReportId: 1 })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await findPublicProfile(database(), user.id)).toEqual(written)
  expect(clearProfileSchema.safeParse({ userId: user.id, reason: '  ' }).success).toBe(false)
  await expect(clearProfile(await asAdmin(), { userId: 2_000_000_000, reason: 'x' })).rejects.toMatchObject({
    code: 'SELLER_NOT_FOUND',
  })
})

it('one network reports a profile once a day, and at most twenty reports are open', async () => {
  const user = await profile()
  const once = { ...visitor(), network: '10.8.0.1' }
  await reportProfile(once, user.id, { category: 'other', details: '' })
  await reportProfile(once, user.id, { category: 'other', details: 'again' })
  expect((await reportedOf(user.id))?.reports).toHaveLength(1)
  for (let at = 0; at < 21; at += 1) await report(user.id)
  expect((await reportedOf(user.id))?.reports).toHaveLength(20)
})
