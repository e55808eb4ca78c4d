// A request whose body arrives slowly must not be answered for a session that has ended meanwhile. Otherwise a thief
// could keep such requests open, and use them after the owner has taken the account back.
import { PATCH as changeProfile } from '@/app/api/user/profile/route'
import { changePassword } from '@/lib/accounts/change-password'
import { confirmEmail } from '@/lib/accounts/confirm-email'
import { issueUndo } from '@/lib/accounts/issue-token'
import { startSession } from '@/lib/accounts/start-session'
import { updateProfile } from '@/lib/accounts/update-profile'
import { createCookieJar, keepCookieJar } from '@/lib/http/cookies/cookie-jar'
import { transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { hashPassword } from '@/lib/infra/password'
import { SESSION_COOKIE } from '@/lib/kernel/session-cookie.mjs'
import { actorOf, contextFor, makeSeller, visitor } from '@/tests/support/factories'
import { untilWaits } from '@/tests/support/until-waits'
import { encode } from 'next-auth/jwt'

afterAll(closeDatabase)

const password = 'speckled mug'

/**
 * Makes a seller with a session that has just given the password. Returns a request whose body `finish` sends, and
 * `isRead`, which is fulfilled when the handler waits for the body.
 */
async function slowRequest(body: object) {
  const seller = await makeSeller({ emailConfirmedAt: new Date() })
  const session = { userId: seller.id, userAgent: 'a browser', steppedUpAt: new Date() }
  const sid = await startSession(visitor(), session)
  const cookie = await encode({ token: { sid }, secret: env().authSecret, maxAge: 600 })
  let sender: ReadableStreamDefaultController<Uint8Array> | undefined
  let pull = () => {}
  const isRead = new Promise<void>((resolve) => (pull = resolve))
  const request = new Request('http://localhost:3000/api/user/profile', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: new ReadableStream({ start: (controller) => void (sender = controller), pull }, { highWaterMark: 0 }),
    duplex: 'half',
  } as RequestInit)
  keepCookieJar(request, createCookieJar(`${SESSION_COOKIE}=${cookie}`))
  const finish = () => {
    sender?.enqueue(new TextEncoder().encode(JSON.stringify(body)))
    sender?.close()
  }
  return { seller, request, finish, isRead }
}

it('a thief whose request was still arriving when the owner took the account back cannot move it to another address', async () => {
  const { seller, request, finish, isRead } = await slowRequest({ email: 'thief@example.com' })
  const undo = await issueUndo(visitor(), seller)
  const answer = changeProfile(request, { params: Promise.resolve({}) })
  await isRead
  await confirmEmail(visitor(), { token: undo.secret })
  finish()
  expect((await answer).status).toBe(401)
  const links = await db().token.findMany({ where: { userId: seller.id, purpose: 'emailChange', usedAt: null } })
  expect(links).toEqual([])
})

it('a thief whose request was being checked when the owner took the account back changes neither password nor address', async () => {
  const seller = await makeSeller({ emailConfirmedAt: new Date(), passwordHash: await hashPassword(password) })
  const ctx = contextFor(actorOf(seller))
  const undo = await issueUndo(visitor(), seller)
  const outcomes = await transaction(visitor(), async (tx) => {
    await confirmEmail(tx, { token: undo.secret })
    const changes = [
      changePassword(ctx, { password, newPassword: 'a thief was here' }),
      updateProfile(ctx, { email: 'another-thief@example.com', password }),
    ].map((change) => change.catch((error: unknown) => error))
    expect(await untilWaits('FOR NO KEY UPDATE', Promise.all(changes), 2)).toBe(true)
    return { changes }
  })
  expect(await Promise.all(outcomes.changes)).toMatchObject([{ code: 'WRONG_PASSWORD' }, { code: 'PROOF_REQUIRED' }])
  const { passwordHash } = await db().user.findUniqueOrThrow({ where: { id: seller.id } })
  expect(passwordHash).toMatch(/^taken back /)
  const links = await db().token.findMany({ where: { userId: seller.id, purpose: 'emailChange', usedAt: null } })
  expect(links).toEqual([])
})

it('a request of an open session is answered, however slowly its body arrives', async () => {
  const { seller, request, finish, isRead } = await slowRequest({ firstName: 'Robin' })
  const answer = changeProfile(request, { params: Promise.resolve({}) })
  await isRead
  finish()
  expect((await answer).status).toBe(200)
  expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'Robin' })
})
