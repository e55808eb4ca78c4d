// Every call that writes is refused for a page of another origin, because a browser would send a visitor's cookies with
// it (ADR 0004). The handlers are listed from the file system, so that a new call cannot be forgotten.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { closeDatabase } from '@/lib/infra/db'
import { makeSeller } from '@/tests/support/factories'
import { requestWith, signIn } from '@/tests/support/signed-request'

afterAll(closeDatabase)

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * Programs make these calls, which have a signature or a secret of their own and read no cookie. The pages of the
 * stand-in play Stripe's own pages and read no cookie either.
 */
const WITHOUT_COOKIES = [
  'app/api/auth/[...nextauth]/route.ts',
  'app/api/cron/archive/route.ts',
  'app/api/csp-report/route.ts',
  'app/api/sandbox/stripe/v1/[...path]/route.ts',
  'app/api/uploadthing/route.ts',
  'app/api/webhooks/stripe/route.ts',
  'app/sandbox/billing/[...path]/route.ts',
  'app/sandbox/checkout/[...path]/route.ts',
  'app/sandbox/connect/[...path]/route.ts',
  'app/sandbox/elements/[...path]/route.ts',
]

/** What a browser says about a request from a page of another origin. An old browser sends only the first. */
const FOREIGN: Record<string, string>[] = [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]

type Handler = (request: Request, next: { params: Promise<Record<string, string>> }) => Promise<Response>

const files = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .filter((file) => /(?:^|\/)route\.tsx?$/.test(file))
  .map((file) => `app/${file}`)
  .filter((file) => !WITHOUT_COOKIES.includes(file))
  .toSorted()

it.each(files)('%s refuses writes from a page of another origin', async (file) => {
  const handlers = (await import(path.resolve(file))) as Partial<Record<string, Handler>>
  const cookie = await signIn((await makeSeller()).id)
  for (const method of WRITES) {
    const handler = handlers[method]
    if (!handler) continue
    for (const headers of FOREIGN) {
      const request = requestWith(cookie, '/api/any', { method, headers, body: '{}' })
      const { status } = await handler(request, { params: Promise.resolve({}) })
      expect([method, headers, status]).toEqual([method, headers, 403])
    }
  }
})

it('finds the handlers that write', () => {
  expect(files.length).toBeGreaterThan(80)
})
