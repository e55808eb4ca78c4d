import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// Only queue-mail.ts inserts emails, each under a dedupe key, so no email is queued twice. Only send-due-mail.ts leases
// emails, so two processes do not send the same email. recall-mails.ts, recall-mails-of-pause.ts, recall-start-mails.ts
// and recall-waitlist-mails.ts delete emails that were not sent yet. forget-mails.ts empties and later deletes old
// emails, and removes emails to deleted accounts.
const WRITERS = [
  'lib/notifications/forget-mails.ts',
  'lib/notifications/queue-mail.ts',
  'lib/notifications/recall-mails-of-pause.ts',
  'lib/notifications/recall-mails.ts',
  'lib/notifications/recall-start-mails.ts',
  'lib/notifications/recall-waitlist-mails.ts',
  'lib/notifications/send-due-mail.ts',
]
const WRITES = [
  /\boutboxMail\s*\.\s*(?:create|update|upsert|delete)/,
  /(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE)\s+(?:ONLY\s+)?"OutboxMail"/i,
]

const sources = ['app', 'components', 'lib', path.join('prisma', 'seed')].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .map((file) => path.join(folder, file)),
)

const writesOutbox = (text: string) => WRITES.some((pattern) => pattern.test(text))

test('only these modules write to the outbox', () => {
  expect(sources.length).toBeGreaterThan(500)
  const writers = sources.filter((file) => writesOutbox(readFileSync(file, 'utf8')))
  expect(writers.toSorted()).toEqual(WRITERS)
})

test.each([
  [`await tx.db.outboxMail.createMany({ data })`, true],
  [`await ctx.db\n    .outboxMail.update({})`, true],
  [`INSERT INTO "OutboxMail" ("to")`, true],
  [`UPDATE "OutboxMail" SET`, true],
  [`SELECT count(*) FROM "OutboxMail"`, false],
  [`db.outboxMail.findUnique({})`, false],
])('whether %j is a write: %s', (text, isWrite) => expect(writesOutbox(text)).toBe(isWrite))
