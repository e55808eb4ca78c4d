import type { Violation } from './violation'
import type { CallEntry, DeliveryEntry, Entry, FaultEntry } from './create-recorder'
import { groupBy } from './group-by'
import type { World } from './start-world'

const answered = ({ outcome }: CallEntry | DeliveryEntry) => ('status' in outcome ? outcome : null)

/**
 * The longest time after which Postgres has flushed a commit that did not wait for the flush: three times its setting
 * `wal_writer_delay`, which is 200 ms, and some time for the answer to arrive.
 */
const FLUSHED_WITHIN_MS = 700

/**
 * Finds events that were handled a second time after a first delivery had been acknowledged. The record of an event is
 * committed without a flush (ADR 0071), so a crash of Postgres just after the acknowledgment may lose it. Such an event
 * may be handled again.
 */
function checkEvents(deliveries: readonly DeliveryEntry[], faults: readonly FaultEntry[]): Violation[] {
  const crashes = faults.filter(({ fault }) => fault === 'crash-postgres')
  const mayBeLost = (time: number) => crashes.some(({ at, until }) => time >= at - FLUSHED_WITHIN_MS && time <= until)
  return [...groupBy(deliveries, ({ eventId }) => eventId)].flatMap(([eventId, own]): Violation[] => {
    const done = own.filter(
      (delivery) => answered(delivery)?.status === 200 && !answered(delivery)?.body.includes('"ignored"'),
    )
    const first = done.reduce((least, { until }) => Math.min(least, until), Infinity)
    const again = done.filter((delivery) => delivery.at > first && !answered(delivery)?.body.includes('"duplicate'))
    return again.length > 0 && !mayBeLost(first)
      ? [{ check: 'event-acted-on-twice', evidence: { eventId, deliveries: own } }]
      : []
  })
}

/**
 * Finds responses of the application with the status 500, which must not occur even while a part of the system fails
 * (docs/contract.md#errors).
 */
function checkStatuses(calls: readonly CallEntry[], faults: readonly FaultEntry[]): Violation[] {
  return calls
    .filter((call) => call.app >= 0 && answered(call)?.status === 500)
    .map((call) => ({
      check: 'answered-500',
      evidence: { call, faults: faults.filter(({ at, until }) => at <= call.until && until >= call.at - 1_000) },
    }))
}

/** Finds purchases that were shown to a buyer but are not paid orders at the end. */
async function checkShown({ postgres }: World, calls: readonly CallEntry[]): Promise<Violation[]> {
  const shown = new Map(
    calls
      .filter((call) => call.verb === 'readOrder' && answered(call)?.status === 200)
      .map((call) => [String(call.about.session), call]),
  )
  const { rows } = await postgres.pool.query<{ session: string }>(
    `SELECT coalesce("stripeSessionId", "stripePaymentIntentId") AS "session" FROM "Order"
      WHERE "paidAt" IS NOT NULL AND coalesce("stripeSessionId", "stripePaymentIntentId") = ANY($1)`,
    [[...shown.keys()]],
  )
  for (const { session } of rows) shown.delete(session)
  return [...shown.values()].map((call) => ({ check: 'shown-purchase-is-gone', evidence: { call } }))
}

/** Finds payments that Stripe's page confirmed but that are not in Stripe's books, where the other checks look. */
async function checkPaid({ stripePool }: World, calls: readonly CallEntry[]): Promise<Violation[]> {
  const paid = calls
    .filter((call) => call.verb === 'pay' && answered(call)?.status === 303)
    .map((call) => String(call.about.session))
  const { rows } = await stripePool.query<{ id: string }>(
    `SELECT t."id" FROM unnest($1::text[]) AS t("id") WHERE NOT EXISTS (
       SELECT 1 FROM "SandboxObject" s WHERE s."id" = t."id" AND s."json"->>'payment_status' = 'paid')`,
    [[...new Set(paid)]],
  )
  return rows.map(({ id }) => ({ check: 'payment-lost-at-stripe', evidence: { session: id } }))
}

/** Checks the recorded responses, and compares them with the database and Stripe's books after the storm. */
export async function checkAnswers(world: World, entries: readonly Entry[]): Promise<Violation[]> {
  const calls = entries.filter((entry): entry is CallEntry => entry.kind === 'call')
  const deliveries = entries.filter((entry): entry is DeliveryEntry => entry.kind === 'delivery')
  const faults = entries.filter((entry): entry is FaultEntry => entry.kind === 'fault')
  return [
    ...checkEvents(deliveries, faults),
    ...checkStatuses(calls, faults),
    ...(await checkShown(world, calls)),
    ...(await checkPaid(world, calls)),
  ]
}
