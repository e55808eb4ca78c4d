import { GET } from '@/app/api/profile/public/[username]/route'
import { closeDatabase, db } from '@/lib/infra/db'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { documented } from '@/tests/support/api-answers'
import { makeDrop, makeSeller } from '@/tests/support/factories'

afterAll(closeDatabase)

const ago = (ms: number) => new Date(Date.now() - ms)

async function read(username: string) {
  const path = `/api/profile/public/${encodeURIComponent(username)}`
  const answer = await GET(new Request(`http://localhost:3000${path}`), { params: Promise.resolve({ username }) })
  const response = await documented('GET', path, answer)
  const text = await response.text()
  return { status: response.status, text, body: JSON.parse(text), headers: response.headers }
}

it('shows three fields of the seller, the live drops sorted by end time, and nothing private', async () => {
  const seller = await makeSeller({
    firstName: 'Ada',
    lastName: 'Secretname',
    plan: 'pro',
    stripeCustomerId: `cus_${Date.now()}`,
    stripeAccountId: `acct_${Date.now()}`,
  })
  const later = await makeDrop({ userId: seller.id, endTime: new Date(Date.now() + 9 * HOUR_MS) })
  const soon = await makeDrop({ userId: seller.id, productType: 'digital' })
  await db().digitalFile.create({
    data: { dropId: soon.id, source: 'link', url: 'https://files.example/private.zip', fileName: 'private.zip' },
  })
  const { status, body, text, headers } = await read(seller.username!)
  expect(status).toBe(200)
  expect(body.user).toEqual({ username: seller.username, firstName: 'Ada', plan: 'pro' })
  expect(body.drops.map((drop: { id: number }) => drop.id)).toEqual([soon.id, later.id])
  expect(body.drops[0]).toMatchObject({ title: 'Test mug', price: '24.00', views: 0, isActive: true })
  expect(text).not.toMatch(/@|digitalFileUrl|private|cus_|acct_|Secretname|passwordHash/)
  expect(headers.get('cache-control')).toContain('public')
})

it('lists an ended drop until it is archived, and no drop that is archived, hidden, inactive or in review', async () => {
  const { id: userId, username } = await makeSeller()
  const ended = await makeDrop({ userId, endTime: ago(MINUTE_MS) })
  const live = await makeDrop({ userId })
  await makeDrop({ userId, endTime: ago(MINUTE_MS), archivedAt: new Date(), isActive: false })
  await makeDrop({ userId, hiddenAt: new Date() })
  await makeDrop({ userId, isActive: false })
  await makeDrop({ userId, moderation: 'review' })
  const { body } = await read(username!)
  expect(body.drops.map((drop: { id: number; state: string }) => [drop.id, drop.state])).toEqual([
    [live.id, 'live'],
    [ended.id, 'ended'],
  ])
})

it('a profile is found regardless of the case of the typed username, and with a leading @', async () => {
  const { username } = await makeSeller()
  for (const typed of [username!.toUpperCase(), `@${username}`]) {
    expect((await read(typed)).body.user.username).toBe(username)
  }
})

it('a former username finds the profile until its redirect expires, unless another account has the name', async () => {
  const { id: userId, username } = await makeSeller()
  const reserve = (name: string, redirectsUntil: Date) =>
    db().reservedUsername.create({
      data: { username: name, userId, redirectsUntil, reservedUntil: new Date(Date.now() + HOUR_MS) },
    })
  const stem = `o_${Date.now().toString(36)}`
  await reserve(`${stem}_old`, new Date(Date.now() + HOUR_MS))
  await reserve(`${stem}_past`, ago(MINUTE_MS))
  const taken = await makeSeller({ username: `${stem}_taken` })
  await reserve(`${stem}_taken`, new Date(Date.now() + HOUR_MS))
  expect((await read(`${stem}_old`)).body.user.username).toBe(username)
  expect((await read(`${stem}_past`)).status).toBe(404)
  expect((await read(`${stem}_taken`)).body.user.username).toBe(taken.username)
})

it('the profile of a deleted account is not found, and a suspended profile is found only after the suspension has ended', async () => {
  const suspended = await makeSeller({ isSuspended: true })
  const deleted = await makeSeller({ deletedAt: new Date() })
  const unsuspended = await makeSeller({ isSuspended: true, suspendedUntil: ago(MINUTE_MS) })
  expect((await read(suspended.username!)).status).toBe(404)
  expect((await read(deleted.username!)).status).toBe(404)
  expect((await read(unsuspended.username!)).status).toBe(200)
})

test.each([
  ['an unknown name', 'nobody_here'],
  ['an empty name', ''],
  ['a relative path', '../admin'],
  ['a NUL character', '\u0000'],
  ['10 KB of text', 'a'.repeat(10_000)],
  ['an encoded slash', '%2f'],
  ['markup', '<script>'],
  ['a ligature', 'ﬁsh'],
  ['a lone @', '@'],
  ['an emoji', '🙂'],
])('%s gets a 404 with the message for a missing profile', async (_name, typed) => {
  const { status, body, text } = await read(typed)
  expect(status).toBe(404)
  expect(body).toMatchObject({
    error: "This profile doesn't exist or isn't available for sharing.",
    message: body.error,
    code: 'PROFILE_NOT_FOUND',
  })
  expect(text).not.toContain('script')
})
