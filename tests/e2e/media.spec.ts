// Checks how the server sends pictures.
import { expect } from '@playwright/test'
import { test } from '../support/test'

test('a picture is sent with its length, so that browsers can show the progress', async ({ shop, drop }) => {
  const [picture] = await shop.query<{ key: string; bytes: string }>(
    `SELECT o."key", o."bytes" FROM "StoredObject" o WHERE o."ownerId" = $1 AND o."key" LIKE 'drops/%' LIMIT 1`,
    [drop.userId],
  )
  const answer = await fetch(`${shop.url}/media/${picture!.key}`)
  expect(answer.headers.get('content-length')).toBe(String(picture!.bytes))
  expect(answer.headers.get('x-content-bytes')).toBeNull()
  expect((await answer.arrayBuffer()).byteLength).toBe(Number(picture!.bytes))
  const head = await fetch(`${shop.url}/media/${picture!.key}`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(picture!.bytes)])
})
