import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase, db } from '@/lib/infra/db'
import { changePublicProfile } from '@/lib/profiles/change-public-profile'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'

let answer: { status: number; body: unknown }
const moderator = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => moderator.listen(0, '127.0.0.1', resolve))
  const { port } = moderator.address() as AddressInfo
  // The environment is read only once, when a test first uses the database, so the variables must be set here.
  process.env.MODERATION_API_KEY = 'key'
  process.env.MODERATION_API_URL = `http://127.0.0.1:${port}/`
})

afterAll(async () => {
  await closeDatabase()
  moderator.close()
})

const opinion = (flagged: boolean) => ({ results: [{ flagged, categories: { hate: flagged } }] })

it.each([
  ['fails', { status: 500, body: {} }, { status: 503, code: 'TEXT_UNCHECKED' }],
  ['objects', { status: 200, body: opinion(true) }, { status: 403, code: 'PROHIBITED', field: 'about' }],
])('a profile text is not stored when the external moderator %s', async (_what, reply, refusal) => {
  answer = reply
  const user = await makeSeller()
  const change = changePublicProfile(contextFor(actorOf(user)), { about: 'Hello' })
  await expect(change).rejects.toMatchObject(refusal)
  const links = changePublicProfile(contextFor(actorOf(user)), { links: ['https://juno.example/'] })
  await expect(links).rejects.toMatchObject({ ...refusal, field: 'links' })
  expect(await db().publicProfile.count({ where: { userId: user.id } })).toBe(0)
})

it('a profile text is stored when the external moderator has no objection, and an empty text is not sent to it', async () => {
  const ctx = contextFor(actorOf(await makeSeller()))
  answer = { status: 200, body: opinion(false) }
  expect(await changePublicProfile(ctx, { about: 'Hello' })).toMatchObject({ about: 'Hello' })
  answer = { status: 500, body: {} }
  expect(await changePublicProfile(ctx, { about: '', links: [] })).toEqual({ about: '', links: [] })
})
