// Sends invalid POST requests to pages: calls of server actions with a foreign origin or a bad body, and multipart
// forms. They are refused with the documented status and never with 500 (docs/contract.md#errors).
import { expect } from '@playwright/test'
import { builtActions } from '../support/built-actions'
import { testedApp } from '../support/e2e'
import { refusalOf } from '../support/refusal-of'
import { test } from '../support/test'

const DEEP = '['.repeat(20_000) + ']'.repeat(20_000)
const calls: [what: string, status: number, body: string, headers?: Record<string, string>][] = [
  ['from elsewhere', 403, '[{}]', { origin: 'https://evil.example' }],
  ['with the origin null', 403, '[{}]', { origin: 'null' }],
  ['that is cut off', 400, '[{'],
  ['with an empty body', 400, ''],
  ['with an unknown reference', 400, '["$1"]'],
  ['with an unknown reference further in', 400, '[{"a":["$F1"]}]'],
  ['that is too deep', 400, DEEP],
  ['that is too large', 413, JSON.stringify(['x'.repeat(64 * 1024)])],
  ['with too many values', 400, `[${'[[],[]],'.repeat(5_000)}1]`],
  ['in parts', 415, '--x\r\n\r\n', { 'content-type': 'multipart/form-data; boundary=x' }],
]

test('an invalid call of a server action is refused', async ({ shop, seller }) => {
  const { id } = builtActions().find(({ what }) => what.endsWith(' changePasswordAction'))!
  for (const [what, status, body, headers] of calls) {
    for (const cookie of ['', seller.cookie]) {
      const known = { 'next-action': id, origin: shop.url, 'content-type': 'text/plain;charset=UTF-8' }
      const init = { method: 'POST', body, headers: { ...known, cookie, ...headers } }
      expect(await refusalOf(await fetch(`${shop.url}/account`, init)), `a call ${what}`).toMatchObject({ status })
    }
  }
})

test('a multipart form that is sent to a page is refused', async () => {
  const statuses = { '/': 405, '/terms-of-service': 405, '/login': 415, '/appeal': 415 }
  for (const [place, status] of Object.entries(statuses)) {
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: 'garbage' }
      expect(await refusalOf(await fetch(testedApp().url + place, init)), `${place} ${type}`).toMatchObject({ status })
    }
  }
})
