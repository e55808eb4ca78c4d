import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Every table needs a rule that says how long its rows are kept (docs/operations.md#how-long-data-is-kept).
const folder = path.join('prisma', 'schema')
const tables = readdirSync(folder).flatMap((file) =>
  [...readFileSync(path.join(folder, file), 'utf8').matchAll(/^model (\w+) \{/gm)].map(([, name = '']) => name),
)
const section = /## How long data is kept\n([\s\S]*?)\n## /.exec(readFileSync('docs/operations.md', 'utf8'))?.[1] ?? ''
const rules = [...section.matchAll(/^\| `(\w+)` +\| (.*?) *\|$/gm)].map(([, table = '', rule = '']) => ({
  table,
  rule,
}))

test('every table of the schema has exactly one rule, and no rule names another table', () => {
  expect(tables.length).toBeGreaterThan(50)
  expect(rules.map(({ table }) => table).toSorted()).toEqual(tables.toSorted())
})

test('every rule says what happens to the rows', () => {
  const vague = rules.filter(({ rule }) => !/\b(kept|deleted|removed|row|rows|sums)\b/.test(rule))
  expect(vague).toEqual([])
})

test('the table names the periods of the statements that remove rows', () => {
  const periods = {
    EarlyLink: ['lib/followers/forget-early-links.ts', "interval '30 days'", '30 days'],
    Session: ['lib/accounts/forget-sign-ins.ts', "interval '1 day'", 'a day'],
    DropView: ['lib/drops/analytics/forget-visitors.ts', '::date - 60', '60 days'],
    WaitlistEntry: ['lib/waitlist/forget-entries.ts', "interval '7 days'", '7 days'],
    Order: ['lib/checkout/forget-unpaid.ts', "interval '30 days'", '30 days'],
    WebhookEvent: ['lib/webhooks/forget-events.ts', "interval '90 days'", '90 days'],
    RateLimit: ['lib/infra/forget-rate-limits.ts', "interval '1 hour'", 'an hour'],
    OutboxMail: ['lib/notifications/forget-mails.ts', "interval '400 days'", '400 days'],
  }
  for (const [table, [file = '', inCode = '', inWords = '']] of Object.entries(periods)) {
    expect(readFileSync(file, 'utf8')).toContain(inCode)
    expect(rules.find((rule) => rule.table === table)?.rule).toContain(inWords)
  }
})
