import type { Violation } from './violation'
import type { Entry, MailEntry } from './create-recorder'
import { groupBy } from './group-by'
import type { World } from './start-world'

type Row = { dedupeKey: string; to: string; subject: string; token: string | null }

/** The subjects of the emails that are sent at most once for each order. */
const ONCE_PER_ORDER = /^(Your order|Shipped): /

/**
 * Finds orders without a receipt, emails about an order that were queued or sent twice, and different emails with the
 * same Message-ID.
 */
export async function checkMail(world: World, entries: readonly Entry[]): Promise<Violation[]> {
  const { rows } = await world.postgres.pool.query<Row>(
    `SELECT "dedupeKey", "to", "subject", substring("text" FROM '/o/([A-Za-z0-9]{43})') AS "token" FROM "OutboxMail"`,
  )
  const receipts = groupBy(
    rows.filter(({ subject, token }) => token !== null && ONCE_PER_ORDER.test(subject)),
    ({ subject, token, to }) => `${ONCE_PER_ORDER.exec(subject)?.[1]} ${token} ${to}`,
  )
  const twiceQueued = [...receipts].filter(([, own]) => own.length > 1)
  const { rows: withoutReceipt } = await world.postgres.pool.query<{ id: string }>(
    `SELECT o."id" FROM "Order" o WHERE o."paidAt" IS NOT NULL AND o."buyerEmail" IS NOT NULL
        AND NOT EXISTS (SELECT 1 FROM "Refund" r WHERE r."orderId" = o."id" AND r."requestedBy" = 'system')
        AND NOT EXISTS (SELECT 1 FROM "OutboxMail" m WHERE m."dedupeKey" = 'receipt:' || o."id")`,
  )
  const accepted = entries.filter((entry): entry is MailEntry => entry.kind === 'mail')
  const received = groupBy(
    accepted.filter(({ subject, orderToken }) => orderToken !== '' && ONCE_PER_ORDER.test(subject)),
    ({ subject, orderToken, to }) => `${ONCE_PER_ORDER.exec(subject)?.[1]} ${orderToken} ${to}`,
  )
  const withTwoIds = [...received].filter(([, own]) => new Set(own.map(({ messageId }) => messageId)).size > 1)
  const byMessageId = groupBy(accepted, ({ messageId }) => messageId)
  const sharedIds = [...byMessageId].filter(
    ([, own]) => new Set(own.map(({ to, subject }) => `${to} ${subject}`)).size > 1,
  )
  return [
    ...twiceQueued.map(([mail, own]) => ({ check: 'mail-queued-twice', evidence: { mail, own } })),
    ...withoutReceipt.map(({ id }) => ({ check: 'order-without-receipt', evidence: { id } })),
    ...withTwoIds.map(([mail, own]) => ({ check: 'mail-sent-twice', evidence: { mail, own } })),
    ...sharedIds.map(([messageId, own]) => ({
      check: 'one-message-id-for-two-mails',
      evidence: { messageId, own },
    })),
  ]
}

/**
 * Counts emails that arrived again with the same Message-ID. This is allowed, because mail programs show such emails
 * only once.
 */
export function countRepeats(entries: readonly Entry[]): number {
  const accepted = entries.filter((entry): entry is MailEntry => entry.kind === 'mail')
  return accepted.length - new Set(accepted.map(({ messageId }) => messageId)).size
}
