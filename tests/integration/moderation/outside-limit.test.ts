import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeDatabase } from '@/lib/infra/db'
import { scanDrop } from '@/lib/moderation/scan-drop'
import { actorOf, contextFor, makeSeller } from '@/tests/support/factories'

let asked = 0
const moderator = createServer((_request, response) => {
  asked += 1
  response.end(JSON.stringify({ results: [{ flagged: false, categories: {} }] }))
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

it('sends at most 60 texts an hour of one seller to the outside moderator, and a person reviews the others', async () => {
  const ctx = contextFor(actorOf(await makeSeller()))
  for (let text = 1; text <= 60; text += 1) expect(await scanDrop(ctx, { title: `Mug ${text}` })).toBeNull()
  expect(await scanDrop(ctx, { title: 'One more mug' })).toMatchObject({ category: 'unchecked' })
  expect(asked).toBe(60)

  const other = contextFor(actorOf(await makeSeller()))
  expect(await scanDrop(other, { title: 'A bowl' })).toBeNull()
})
