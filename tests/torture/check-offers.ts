import { createHash } from 'node:crypto'
import { discountOf } from '@/lib/drops/codes/code-rules'
import { type ShippingZone, zoneOf } from '@/lib/drops/delivery/zone-rules'
import type { CallEntry, Entry } from './create-recorder'
import { groupBy } from './group-by'
import type { World } from './start-world'
import type { Violation } from './violation'
import { type DropState, type HoldChange, readHoldChanges } from './watch-database'

/** Links are stored as hashes of their tokens. */
const sha256 = (token: string): string => createHash('sha256').update(token).digest('hex')

type OrderRow = {
  id: string
  dropId: number
  session: string | null
  isPaid: boolean
  isBeforeStart: boolean
  /** When the drop started for everyone, in milliseconds since 1970. */
  startedAt: number
  isPaidBeforeStart: boolean
  isEarly: boolean
  holdState: string
  holdReason: string | null
  earlyLinkId: number | null
  quantity: number
  unitPriceCents: number
  amountCents: number
  discountCode: string | null
  discountCents: number
  optionValue: string | null
  shipsTo: string | null
  shippingCents: number
  priceCents: number
  zones: ShippingZone[] | null
  percent: number | null
  offCents: number | null
}

async function readOrders({ postgres }: World): Promise<OrderRow[]> {
  const { rows } = await postgres.pool.query<OrderRow>(
    `SELECT o."id", o."dropId", coalesce(o."stripeSessionId", o."stripePaymentIntentId") AS "session", o."paidAt" IS NOT NULL AS "isPaid",
            o."createdAt" < d."startedAt" AS "isBeforeStart", coalesce(o."paidAt" < d."startedAt", false) AS "isPaidBeforeStart",
            (extract(epoch FROM d."startedAt") * 1000)::float8 AS "startedAt",
            o."isEarly", h."state"::text AS "holdState", h."reason" AS "holdReason", h."earlyLinkId", o."quantity",
            o."unitPriceCents", o."amountCents", o."discountCode", o."discountCents", o."optionValue", o."shipsTo", o."shippingCents",
            d."priceCents", d."shippingZones" AS "zones", c."percent", c."offCents"
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Drop" d ON d."id" = o."dropId"
       LEFT JOIN "DiscountCode" c ON c."dropId" = o."dropId" AND c."code" = o."discountCode"`,
  )
  return rows
}

/**
 * Checks that the amount of each order is the price less the code, for each unit, and the surcharge. They
 * cannot change once someone could buy, so the drop's row still has them at the end.
 */
function checkAmounts(orders: readonly OrderRow[]): Violation[] {
  return orders.flatMap((order): Violation[] => {
    const { quantity, priceCents, discountCode, shipsTo, zones } = order
    const off = discountCode === null ? 0 : discountOf(priceCents, order)
    const zone = zones === null ? null : zoneOf(zones, shipsTo)
    const shippingCents = zone?.cents ?? 0
    const amountCents = (priceCents - off) * quantity + shippingCents
    const isRight =
      order.amountCents === amountCents &&
      order.unitPriceCents === priceCents - off &&
      order.discountCents === off * quantity &&
      order.shippingCents === shippingCents &&
      (zones === null ? shipsTo === null : zone !== null)
    return isRight ? [] : [{ check: 'amount-is-not-the-price', evidence: { order, amountCents } }]
  })
}

/** Returns Stripe's id of the checkout that a call opened, or null. */
function openedBy({ outcome }: CallEntry): string | null {
  if (!('status' in outcome) || outcome.status !== 200) return null
  return /"url":"[^"]*\/(cs_\w+)/.exec(outcome.body)?.[1] ?? /"(pi_\w+?)_secret_/.exec(outcome.body)?.[1] ?? null
}

/** The application may continue to work on a call for this long after it timed out. */
const GOES_ON_MS = 20_000

/**
 * Returns whether the same buyer made another call about the same drop at the same moment. The application then returns
 * the checkout that one of the calls opened to both, even if the other one asked for something else.
 */
const isDoubled = (call: CallEntry, calls: readonly CallEntry[]): boolean =>
  calls.some(
    (other) =>
      other !== call &&
      other.actor === call.actor &&
      other.about.drop === call.about.drop &&
      other.at <= call.until &&
      other.until + ('unknown' in other.outcome ? GOES_ON_MS : 0) >= call.at,
  )

/** Checks that the checkout that a buyer got has the code, the country and the value that the buyer asked for. */
function checkWishes(
  opened: readonly { call: CallEntry; order: OrderRow }[],
  calls: readonly CallEntry[],
): Violation[] {
  return opened.flatMap(({ call, order }): Violation[] => {
    const { code, country, value } = call.about
    const isRight =
      (code === undefined || (order.discountCode ?? '') === code) &&
      (country === undefined || order.shipsTo === country) &&
      (value === undefined || order.optionValue === value)
    return isRight || isDoubled(call, calls)
      ? []
      : [{ check: 'checkout-is-not-what-was-asked', evidence: { call, order } }]
  })
}

/** Returns whether a hold uses its code and its link: it is open or sold, even if its units were refunded later. */
const isUse = ({ state, reason }: Pick<HoldChange, 'state' | 'reason'>) => state !== 'released' || reason === 'refunded'

/**
 * Returns the highest number of holds that used each code or link at the same time.
 * @param keyOf which code or link a hold uses; null for none
 */
export function mostUses(
  changes: readonly HoldChange[],
  keyOf: (change: HoldChange) => number | null,
): Map<number, number> {
  const using = new Map<string, number>()
  const most = new Map<number, number>()
  for (const change of changes) {
    const key = isUse(change) ? keyOf(change) : null
    if (key === null) using.delete(change.holdId)
    else using.set(change.holdId, key)
    if (key === null) continue
    const uses = [...using.values()].filter((one) => one === key).length
    most.set(key, Math.max(most.get(key) ?? 0, uses))
  }
  return most
}

type CodeRow = { id: number; code: string; used: number; maxUses: number | null; uses: number }

/** Checks that no code had more uses than its seller allows at any moment, and that its counter is right at the end. */
async function checkCodes({ postgres }: World, changes: readonly HoldChange[]): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<CodeRow>(
    `SELECT c."id", c."code", c."used", c."maxUses", (SELECT count(*)::int FROM "Hold" h WHERE h."codeId" = c."id"
              AND (h."state" <> 'released' OR h."reason" = 'refunded')) AS "uses" FROM "DiscountCode" c`,
  )
  const most = mostUses(changes, ({ codeId }) => codeId)
  return rows.flatMap((code): Violation[] => {
    const atOnce = most.get(code.id) ?? 0
    const found: Violation[] = []
    if (code.maxUses !== null && atOnce > code.maxUses)
      found.push({ check: 'code-used-too-often', evidence: { code, atOnce } })
    if (code.used !== code.uses) found.push({ check: 'uses-of-code-are-not-the-orders', evidence: { code } })
    return found
  })
}

/**
 * Checks that nobody bought before the public start without a link of their own, that no link bought twice, and that
 * the units for everyone stayed unsold until then.
 */
async function checkEarlyAccess(
  { postgres }: World,
  orders: readonly OrderRow[],
  opened: readonly { call: CallEntry; order: OrderRow }[],
  changes: readonly HoldChange[],
  states: readonly DropState[],
): Promise<Violation[]> {
  const { rows } = await postgres.pool.query<{ tokenHash: string }>('SELECT "tokenHash" FROM "EarlyLink"')
  const links = new Set(rows.map(({ tokenHash }) => tokenHash))
  const before = orders.filter(({ isBeforeStart }) => isBeforeStart)
  const hasUnits = ({ isPaid, holdState, holdReason }: OrderRow) =>
    isPaid && isUse({ state: holdState as HoldChange['state'], reason: holdReason })
  const withoutLink = before.filter(
    (order) => !order.isEarly || (order.earlyLinkId === null && order.isPaidBeforeStart && hasUnits(order)),
  )
  const forged = opened.filter(
    ({ call: { about, until }, order }) =>
      about.early !== undefined && until < order.startedAt && !links.has(sha256(String(about.early))),
  )
  const byToken = groupBy(
    opened.filter(({ order }) => order.isPaidBeforeStart && hasUnits(order)),
    ({ call }) => String(call.about.early ?? ''),
  )
  const twice = [...byToken].filter(([, own]) => new Set(own.map(({ order }) => order.id)).size > 1)
  const atOnce = [...mostUses(changes, ({ earlyLinkId }) => earlyLinkId)].filter(([, uses]) => uses > 1)
  const tooEarly = states.filter(
    ({ at, startedAt, sold, held, earlyUnits }) => at < startedAt && sold + held > (earlyUnits ?? 0),
  )
  return [
    ...withoutLink.map((order) => ({ check: 'sold-before-start', evidence: { order } })),
    ...forged.map((one) => ({ check: 'sold-before-start', evidence: one })),
    ...twice.map(([token, own]) => ({ check: 'early-link-used-twice', evidence: { token, own } })),
    ...atOnce.map(([earlyLinkId, uses]) => ({ check: 'early-link-used-twice', evidence: { earlyLinkId, uses } })),
    ...tooEarly.slice(0, 3).map((state) => ({ check: 'public-units-sold-early', evidence: { state } })),
  ]
}

/** Checks prices, codes, countries, values and early access after everything has come to rest. */
export async function checkOffers(
  world: World,
  entries: readonly Entry[],
  states: readonly DropState[],
): Promise<{ violations: Violation[]; coded: number; early: number; shipped: number }> {
  const [orders, changes] = [await readOrders(world), await readHoldChanges(world.postgres.pool)]
  const bySession = new Map(orders.map((order) => [order.session, order]))
  const calls = entries.filter(
    (entry): entry is CallEntry => entry.kind === 'call' && ['open', 'openEmbedded'].includes(entry.verb),
  )
  // A payment is answered with the client secret, too, but does not say with which link its checkout was opened.
  const opened = calls.flatMap((call): { call: CallEntry; order: OrderRow }[] => {
    const session = openedBy(call)
    const order = session === null ? undefined : bySession.get(session)
    return order ? [{ call, order }] : []
  })
  const paid = orders.filter(({ isPaid }) => isPaid)
  return {
    violations: [
      ...checkAmounts(orders),
      ...checkWishes(opened, calls),
      ...(await checkCodes(world, changes)),
      ...(await checkEarlyAccess(world, orders, opened, changes, states)),
    ],
    coded: paid.filter(({ discountCode }) => discountCode !== null).length,
    early: paid.filter(({ isEarly }) => isEarly).length,
    shipped: paid.filter(({ shippingCents }) => shippingCents > 0).length,
  }
}
