import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import rules from '../../.dependency-cruiser.cjs'

// For each import rule, this test plants a file that violates the rule into a copy of the project, and expects the rule
// to find the file.
const PLANTED = 'planted-violation'
const planted: [rule: string, file: string, code: string][] = [
  ['layer-kernel', `lib/kernel/${PLANTED}.ts`, `import '@/lib/infra/db'`],
  ['layer-infra', `lib/infra/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['layer-sandbox', `lib/sandbox/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-plans', `lib/plans/${PLANTED}.ts`, `import '@/lib/infra/db'`],
  ['layer-platform', `lib/platform/${PLANTED}.ts`, `import '@/lib/accounts/queries'`],
  ['layer-uploads', `lib/uploads/${PLANTED}.ts`, `import '@/lib/accounts/queries'`],
  ['layer-notifications', `lib/notifications/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-accounts', `lib/accounts/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['layer-moderation', `lib/moderation/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['layer-stock', `lib/stock/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['layer-drops', `lib/drops/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-profiles', `lib/profiles/${PLANTED}.ts`, `import '@/lib/payouts/rules'`],
  ['layer-traders', `lib/traders/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['layer-payouts', `lib/payouts/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-orders', `lib/orders/${PLANTED}.ts`, `import '@/lib/refunds/refund-order'`],
  ['layer-refunds', `lib/refunds/${PLANTED}.ts`, `import '@/lib/checkout/queries'`],
  ['layer-shipping', `lib/shipping/${PLANTED}.ts`, `import '@/lib/checkout/queries'`],
  ['layer-checkout', `lib/checkout/${PLANTED}.ts`, `import '@/lib/shipping/mark-shipped'`],
  ['layer-trust', `lib/trust/${PLANTED}.ts`, `import '@/lib/admin/queries'`],
  ['layer-closure', `lib/closure/${PLANTED}.ts`, `import '@/lib/admin/queries'`],
  ['layer-admin', `lib/admin/${PLANTED}.ts`, `import '@/lib/http/route'`],
  ['layer-waitlist', `lib/waitlist/${PLANTED}.ts`, `import '@/lib/webhooks/receive-stripe-event'`],
  ['layer-followers', `lib/followers/${PLANTED}.ts`, `import '@/lib/waitlist/queries'`],
  ['layer-subscriptions', `lib/subscriptions/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-webhooks', `lib/webhooks/${PLANTED}.ts`, `import '@/lib/http/route'`],
  ['layer-previews', `lib/previews/${PLANTED}.ts`, `import '@/lib/orders/queries'`],
  ['layer-server', `lib/server/${PLANTED}.mjs`, `import '../operations/refusal.mjs'`],
  ['layer-operations', `lib/operations/${PLANTED}.mjs`, `import '../server/path-of.mjs'`],
  ['layer-artwork', `lib/artwork/${PLANTED}.mjs`, `import '../operations/refusal.mjs'`],
  ['application-does-not-import-what-runs-it', `lib/drops/${PLANTED}-server.ts`, `import '@/lib/server/path-of.mjs'`],
  ['application-does-not-import-its-tools', `lib/server/${PLANTED}-tool.mjs`, `import '../../scripts/output.mjs'`],
  ['plain-node-imports-plain-node', `bench/${PLANTED}.mjs`, `import '../lib/kernel/money.ts'`],
  ['scripts-need-nothing-installed', `scripts/${PLANTED}.mjs`, `import 'sirv'`],
  ['scripts-drive-and-do-not-decide', `scripts/${PLANTED}-lib.mjs`, `import '../lib/http/content-security-policy.mjs'`],
  ['layer-http', `lib/http/${PLANTED}.ts`, `import '@/lib/jobs/start-jobs'`],
  ['layer-jobs', `lib/jobs/${PLANTED}.ts`, `import '@/lib/client/call-api'`],
  ['nothing-imports-app', `components/${PLANTED}.ts`, `import '@/app/fonts'`],
  ['lib-is-not-ui', `lib/client/${PLANTED}.ts`, `import '@/components/ui/button'`],
  ['browser-sees-browser-safe-files-only', `components/drops/${PLANTED}.ts`, `import '@/lib/drops/queries'`],
  ['browser-sees-browser-safe-files-only', `components/admin/${PLANTED}.ts`, `import '@/lib/trust/approve-review'`],
  ['browser-safe-stays-browser-safe', `lib/${PLANTED}/seller-view.ts`, `import '@/lib/infra/db'`],
  ['browser-safe-stays-browser-safe', `lib/${PLANTED}/rules.ts`, `import '@/lib/infra/db'`],
  [
    'prisma-only-in-infra-db',
    `lib/drops/${PLANTED}-prisma.ts`,
    `import { PrismaClient } from '@prisma/client'\nnew PrismaClient()`,
  ],
  ['postgres-driver-only-in-infra-db', `lib/drops/${PLANTED}-pg.ts`, `import pg from 'pg'\nnew pg.Client()`],
  ['stripe-only-in-infra-stripe', `lib/orders/${PLANTED}-stripe.ts`, `import Stripe from 'stripe'\nnew Stripe('')`],
  ['sandbox-is-loaded-on-demand', `lib/infra/${PLANTED}-sandbox.ts`, `import '@/lib/sandbox/stripe/stand-in'`],
  [
    'domains-take-services-from-their-context',
    `lib/orders/${PLANTED}-database.ts`,
    `import { database } from '@/lib/infra/db'\nvoid database()`,
  ],
  [
    'domains-take-services-from-their-context',
    `lib/platform/${PLANTED}-stripe-client.ts`,
    `import { stripe } from '@/lib/infra/stripe'\nstripe()`,
  ],
  [
    'next-request-state-not-in-domains',
    `lib/orders/${PLANTED}-next.ts`,
    `import { cookies } from 'next/headers'\nvoid cookies()`,
  ],
  ['ui-primitives-are-product-agnostic', `components/ui/${PLANTED}.ts`, `import '@/lib/drops/rules'`],
  ['no-unresolvable', `lib/kernel/${PLANTED}-nowhere.ts`, `import './not-there'`],
  ['no-cycles', `lib/kernel/${PLANTED}-a.ts`, `import './${PLANTED}-b'`],
]
// This file is the other half of the cycle. It has no row above, because a cycle is reported only once.
const cycleEnd = { file: `lib/kernel/${PLANTED}-b.ts`, code: `import './${PLANTED}-a'` }

type Report = { summary: { violations: { rule: { name: string }; from: string }[] } }

/**
 * Copies the source files into a temporary folder. Files planted in the project itself would change the inputs of the
 * build, and a test that starts the application meanwhile would rebuild it while the servers of other tests use it.
 */
function copyOfProject(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'lastcall-import-rules-'))
  const folders = ['app', 'bench', 'components', 'lib', 'prisma', 'scripts', 'tests']
  const files = ['.dependency-cruiser.cjs', 'package.json', 'tsconfig.json', 'middleware.ts', 'instrumentation.ts']
  for (const name of [...folders, ...files]) cpSync(name, path.join(copy, name), { recursive: true })
  symlinkSync(path.resolve('node_modules'), path.join(copy, 'node_modules'))
  return copy
}

function cruise(cwd: string, files: string[]): Report {
  const binary = path.resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [binary, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...files]
  try {
    return JSON.parse(
      execFileSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    ) as Report
  } catch (error) {
    // The exit code is the number of violations, and the report is on stdout in any case.
    return JSON.parse((error as { stdout: string }).stdout) as Report
  }
}

describe('import rules', () => {
  let copy: string
  let found: { rule: string; from: string }[]

  beforeAll(() => {
    copy = copyOfProject()
    const plant = (file: string, code: string) => {
      mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
      writeFileSync(path.join(copy, file), `${code}\n`)
    }
    for (const [, file, code] of planted) plant(file, code)
    plant(cycleEnd.file, cycleEnd.code)
    const { violations } = cruise(
      copy,
      planted.map(([, file]) => file),
    ).summary
    found = violations.map(({ rule, from }) => ({ rule: rule.name, from }))
  }, 60_000)

  afterAll(() => rmSync(copy, { recursive: true, force: true }))

  test('every rule has a planted violation', () => {
    const withViolation = planted.map(([rule]) => rule)
    expect(rules.forbidden.map(({ name }) => name).filter((name) => !withViolation.includes(name))).toEqual([])
  })

  test.each(planted)('%s finds the violation in %s', (rule, file) => expect(found).toContainEqual({ rule, from: file }))
})
