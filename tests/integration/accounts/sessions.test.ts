import { endSession } from '@/lib/accounts/end-session'
import { findSessionActor } from '@/lib/accounts/find-session-actor'
import { startSession } from '@/lib/accounts/start-session'
import { sha256 } from '@/lib/infra/crypto'
import { closeDatabase, database, db } from '@/lib/infra/db'
import { makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

it('an account has at most 100 sessions, and the oldest one ends when another one begins', async () => {
  const { id: userId } = await makeSeller()
  const other = await startSession(visitor(), { userId: (await makeSeller()).id, userAgent: 'phone' })
  const begin = () => startSession(visitor(), { userId, userAgent: 'phone' })
  const first = await begin()
  const second = await begin()
  for (let count = 0; count < 98; count += 1) await begin()
  expect(await findSessionActor(database(), first)).not.toBeNull()
  const last = await begin()
  expect(await findSessionActor(database(), first)).toBeNull()
  for (const kept of [second, last, other]) expect(await findSessionActor(database(), kept)).not.toBeNull()
  expect(await db().session.count({ where: { userId } })).toBe(100)
})

it('sessions that have ended make room first, and are not kept without a limit either', async () => {
  const { id: userId } = await makeSeller()
  const begin = () => startSession(visitor(), { userId, userAgent: 'phone' })
  const end = (secret: string) => endSession(visitor(), sha256(secret))
  const first = await begin()
  for (let count = 0; count < 150; count += 1) await begin().then(end)
  expect(await findSessionActor(database(), first)).not.toBeNull()
  expect(await db().session.count({ where: { userId } })).toBeLessThanOrEqual(101)
})
