import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

// A mail is queued once because only one file inserts it, under a dedupe key, and sent once because only one file leases it.
const WRITERS = [
  'lib/notifications/queue-mail.ts',
  'lib/notifications/recall-start-mails.ts',
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

test('only queueMail(), recallStartMails() and sendDueMail() write the outbox', () => {
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
])('%j is a write: %s', (text, isWrite) => expect(writesOutbox(text)).toBe(isWrite))
