import { createHash } from 'node:crypto'
import { closeDatabase, db } from '@/lib/infra/db'
import { contentSecurityPolicy } from '@/lib/http/content-security-policy.mjs'
import { policyReportReader } from '@/lib/http/policy-report-reader'
import { notePolicyReport } from '@/lib/platform/note-policy-report'
import { hashInlineScripts } from '@/lib/server/hash-inline-scripts.mjs'
import { toCachedAnswer } from '@/lib/server/to-cached-answer.mjs'
import { visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const sha = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

function page(nonce: string) {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy({ isProduction: true, nonce }),
    etag: `"${nonce}"`,
  }
  const html = `<script nonce="${nonce}">one()</script><script src="/a.js" nonce="${nonce}"></script>
    <script nonce="${nonce}">self.__next_f.push([1,"{\\"nonce\\":\\"${nonce}\\"}"])</script>`
  return { body: String(hashInlineScripts(headers, Buffer.from(html))), headers }
}

it('replaces the nonce of a cached page with the hashes of its scripts, so that all renderings are equal', () => {
  const [first, second] = [page('first_nonce-1'), page('second_nonce-2')]
  expect(first).toEqual(second)
  expect(first.body).not.toContain('nonce-1')
  const policy = first.headers['content-security-policy'] ?? ''
  const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? ''
  expect(scripts.split(' ')).toEqual(["'self'", sha('one()'), sha('self.__next_f.push([1,"{\\"nonce\\":\\"\\"}"])')])
  expect(first.headers.etag).toBeUndefined()
})

it('lets only the scripts that had the nonce run on a cached page, and not one that somehow got into it', () => {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy({ isProduction: true, nonce: 'real-1' }),
  }
  const body =
    '<html><body><script nonce="real-1">ours()</script><script>stolen()</script>' +
    '<script nonce="made-up">guessed()</script><script data-nonce="real" async>other()</script>' +
    '<script src="/_next/static/a.js" nonce="real-1" async=""></script></body></html>'
  const answer = { status: 200, headers, body: Buffer.from(body), askedAt: performance.now() }
  const cached = toCachedAnswer('/drop/mug', answer, {})
  const [loader = ''] = String(cached.body).split('<script nonce="">').at(-1)?.split('</script>') ?? []
  expect(loader).toContain('/_next/static/a.js')
  const scripts = /script-src ([^;]*)/.exec(String(cached.headers['content-security-policy']))?.[1] ?? ''
  expect(scripts.split(' ')).toEqual(["'self'", sha('ours()'), sha(loader)])
})

it('joins the data scripts of a page, so that the policy of a large page fits into the header that proxies accept', () => {
  const headers: Record<string, string> = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy({ isProduction: true, nonce: 'n-1' }),
  }
  const data = Array.from({ length: 200 }, (_, at) => `<script nonce="n-1">self.__next_f.push([1,"${at}"])</script>`)
  const body = String(hashInlineScripts(headers, Buffer.from(`<html>${data.join('')}</html>`)))
  expect(body.match(/<script/g)).toHaveLength(1)
  expect(body).toContain('self.__next_f.push([1,"0"]);self.__next_f.push([1,"1"])')
  expect(headers['content-security-policy']?.length).toBeLessThan(1_500)
})

it('does not change a response without a nonce', () => {
  const body = Buffer.from('{}')
  expect(hashInlineScripts({ 'content-type': 'application/json' }, body)).toBe(body)
})

it('lets no inline script run without a nonce or a hash in production', () => {
  expect(/script-src ([^;]*)/.exec(contentSecurityPolicy({ isProduction: true }))?.[1]).not.toContain('unsafe')
})

const read = (report: object, type = 'application/csp-report') =>
  policyReportReader.read(
    new Request('http://localhost/api/csp-report', {
      method: 'POST',
      headers: { 'content-type': type },
      body: JSON.stringify({ 'csp-report': report }),
    }),
    visitor(),
  )

it('removes the parts of a report that may be secret, and refuses a wrong type or a large body', async () => {
  const { value } = await read({
    'document-uri': 'http://localhost:3000/o/secret-token?x=1',
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.example/path?token=2',
  })
  expect(value).toEqual({ directive: 'script-src-elem', blocked: 'https://evil.example', page: '/o' })
  expect((await read({ 'effective-directive': '<b>' })).value).toBeNull()
  await expect(read({}, 'text/plain')).rejects.toMatchObject({ status: 415 })
  await expect(read({ 'blocked-uri': 'x'.repeat(20_000) })).rejects.toMatchObject({ status: 413 })
})

it('counts reports by kind and stores at most 100 kinds, of which a new one replaces the rarest and oldest', async () => {
  const report = { directive: 'script-src', blocked: 'inline', page: '/drop' }
  for (let at = 0; at < 3; at += 1) await notePolicyReport(visitor(), report)
  for (let at = 0; at < 120; at += 1) await notePolicyReport(visitor(), { ...report, blocked: `https://${at}.example` })
  expect(await db().policyReport.count()).toBe(100)
  const isStored = (at: number) => db().policyReport.count({ where: { blocked: `https://${at}.example` } })
  expect(await Promise.all([0, 20, 21, 119].map(isStored))).toEqual([0, 0, 1, 1])
  await notePolicyReport(visitor(), report)
  const key = { directive_blocked_page: report }
  expect(await db().policyReport.findUnique({ where: key })).toMatchObject({ count: 4 })
})
