import 'server-only'
import type { DiscountCode, Drop, OptionValue, Prisma, User } from '@prisma/client'
import type { Db } from '@/lib/infra/db'
import { paymentsMode } from '@/lib/infra/stripe'
import { brand } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { estimateCardFeeCents, splitAmount } from '@/lib/kernel/money'
import { DAY_MS } from '@/lib/kernel/time'
import { discountOf } from '@/lib/drops/codes/code-rules'
import { shipDay } from '@/lib/drops/delivery/ship-rules'
import { type ShippingZone, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { choiceMetadata } from '@/lib/checkout/rules'
import { netCents, transferDueAt } from '@/lib/payouts/rules'
import { planRules } from '@/lib/plans/rules'
import { demoBuyers } from './demo-buyers'
import type { DemoDrop } from './demo-drop'
import { earlierRunOf } from './seed-drop'

/**
 * Writes one paid order per sold unit of a demo drop, spread over the drop's run. The amounts add up like those of real
 * orders. In the sandbox, each order has a payment at the stand-in for Stripe, so that it can be refunded and paid out.
 */
export async function seedOrders(tx: Db, drop: Drop, demo: DemoDrop, seller: User): Promise<void> {
  const holds: Prisma.HoldCreateManyInput[] = []
  const orders: Prisma.OrderCreateManyInput[] = []
  const transfers: Prisma.TransferCreateManyInput[] = []
  const stripeObjects: Prisma.SandboxObjectCreateManyInput[] = []
  const values = await tx.optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
  const chosen = values.flatMap((value) => Array.from({ length: value.sold }, () => value))
  const [code] = await tx.discountCode.findMany({ where: { dropId: drop.id }, orderBy: { id: 'asc' }, take: 1 })
  const uses = demo.codes?.[0]?.uses ?? 0
  const sales = salesOf(drop, demo)
  for (const [unit, { run, paidAt }] of sales.entries()) {
    const sale: Sale = {
      run,
      orderId: newId('ord'),
      holdId: newId('hold'),
      paidAt,
      unit,
      buyer: demoBuyers[(unit * 7 + drop.id) % demoBuyers.length]!,
      progress: progressOf(drop, { paidAt, unit, isLate: unit >= sales.length - (demo.lateParcels ?? 0) }),
      code: (unit < uses && code) || null,
      // The values are taken in steps of four, so that the newest orders do not all have the same value.
      value: chosen[(unit * 4) % Math.max(1, chosen.length)] ?? null,
    }
    const payment = paymentsMode() === 'sandbox' ? await paymentOf(drop, sale) : null
    for (const object of payment?.objects ?? []) {
      const json = object as Prisma.InputJsonObject
      stripeObjects.push({ id: object.id, kind: object.object, json, updatedAt: paidAt })
    }
    const order = orderOf(drop, seller, sale)
    holds.push(holdOf(drop, sale))
    orders.push({
      ...order,
      ...(payment ? { stripePaymentIntentId: payment.intentId, stripeChargeId: payment.chargeId } : {}),
    })
    transfers.push({
      id: newId('tra'),
      orderId: sale.orderId,
      sellerId: seller.id,
      amountCents: netCents(order.sellerPayoutCents, order.cardFeeCents),
      dueAt: sale.progress.shippedAt ?? transferDueAt(drop.productType, paidAt),
    })
  }
  await tx.sandboxObject.createMany({ data: stripeObjects })
  await tx.hold.createMany({ data: holds })
  if (code && uses > 0) {
    const discountedCents = uses * discountOf(drop.priceCents, code)
    await tx.discountCode.update({ where: { id: code.id }, data: { used: uses, discountedCents } })
  }
  await tx.order.createMany({ data: orders })
  if (drop.isNumbered) {
    const numbers = orders.map(({ id: orderId }, at) => ({ dropId: drop.id, run: drop.run, number: at + 1, orderId }))
    await tx.editionNumber.createMany({ data: numbers })
  }
  await tx.transfer.createMany({ data: transfers })
  if (drop.keysGiven !== null) await giveKeys(tx, drop.id, orders)
  const keysGiven = drop.keysGiven === null ? null : demo.sold
  await tx.drop.update({ where: { id: drop.id }, data: { sold: demo.sold, purchases: orders.length, keysGiven } })
}

/** Returns the run and the time of each sale, the oldest first. */
function salesOf(drop: Drop, demo: DemoDrop): Pick<Sale, 'run' | 'paidAt'>[] {
  const { run, startedAt, endTime } = drop
  const runs = [{ run, startedAt, endTime, sold: demo.sold }]
  if (demo.earlierRun) runs.unshift(earlierRunOf(demo, demo.earlierRun))
  return runs.flatMap((one) => {
    const from = one.startedAt.getTime()
    const until = Math.min(one.endTime.getTime(), Date.now())
    // The exponent moves the sales toward the launch, because most sales of a real drop come early.
    const paidAt = (at: number) => new Date(from + (until - from) * ((at + 1) / (one.sold + 1)) ** 1.6)
    return Array.from({ length: one.sold }, (_, at) => ({ run: one.run, paidAt: paidAt(at) }))
  })
}

/** Assigns a key to each order, which has one unit. Every second buyer has already seen the key. */
async function giveKeys(tx: Db, dropId: number, orders: readonly Prisma.OrderCreateManyInput[]): Promise<void> {
  const keys = await tx.dropKey.findMany({ where: { dropId }, orderBy: { id: 'asc' }, take: orders.length })
  for (const [at, { id: orderId, paidAt }] of orders.entries()) {
    const shownAt = at % 2 === 0 ? paidAt : null
    await tx.dropKey.update({ where: { id: keys[at]!.id }, data: { orderId, givenAt: paidAt, shownAt } })
  }
}

/** The sale of one unit. `unit` is the index of the sale within the drop, starting at zero. */
type Sale = {
  run: number
  orderId: string
  holdId: string
  paidAt: Date
  unit: number
  buyer: (typeof demoBuyers)[number]
  progress: Progress
  /** The chosen value of the drop's option; null for a drop without options. */
  value: OptionValue | null
  /** The discount code that the buyer used; null without one. */
  code: DiscountCode | null
}

const titleOf = ({ title, optionName }: Drop, { value }: Sale) =>
  value ? `${title} (${optionName} ${value.value})` : title

async function paymentOf(drop: Drop, sale: Sale) {
  const { orderId, paidAt, buyer } = sale
  const { pastPayment } = await import('@/lib/sandbox/stripe/payments/past-payment')
  return pastPayment({
    amountCents: amountOf(drop, sale),
    paidAt,
    description: `${titleOf(drop, sale)} – ${brand.name}`,
    metadata: {
      orderId,
      dropId: String(drop.id),
      mode: 'embedded',
      ...choiceMetadata({ ...chosenIn(drop, sale), ...discountIn(drop, sale), ...shippingTo(drop, sale) }),
    },
    buyer,
  })
}

/** The buyer's country and the surcharge for it. Without zones, the price includes shipping. */
function shippingTo({ shippingZones }: Drop, { buyer }: Sale) {
  const { country } = buyer.address
  const zone = zoneOf((shippingZones ?? []) as ShippingZone[], country)
  return zone ? { shipsTo: country, shippingCents: zone.cents } : { shipsTo: null, shippingCents: 0 }
}

/** The discount code of a sale and its amount. An order of the demo has one unit. */
const discountIn = ({ priceCents }: Drop, { code }: Sale) =>
  code
    ? { discountCode: code.code, discountCents: discountOf(priceCents, code) }
    : { discountCode: null, discountCents: 0 }

const unitPriceOf = (drop: Drop, sale: Sale) => drop.priceCents - discountIn(drop, sale).discountCents
const amountOf = (drop: Drop, sale: Sale) => unitPriceOf(drop, sale) + shippingTo(drop, sale).shippingCents

const chosenIn = ({ optionName }: Drop, { value }: Sale) => ({
  optionName: value ? optionName : null,
  optionValue: value?.value ?? null,
})

function holdOf(drop: Drop, { run, holdId, paidAt, unit, value, code }: Sale): Prisma.HoldCreateManyInput {
  return {
    id: holdId,
    dropId: drop.id,
    valueId: value?.id ?? null,
    codeId: code?.id ?? null,
    run,
    mode: 'embedded',
    buyerKey: newSecret(),
    quantity: 1,
    state: 'sold',
    source: unit % 4 < 2 ? 'instagram' : unit % 4 === 2 ? 'tiktok' : 'direct',
    createdAt: paidAt,
    settledAt: paidAt,
    expiresAt: paidAt,
  }
}

function orderOf(drop: Drop, seller: User, sale: Sale) {
  const { orderId, holdId, paidAt, buyer, progress } = sale
  const platformFeeBps = planRules(seller).feeBps
  return {
    id: orderId,
    token: newSecret(),
    holdId,
    dropId: drop.id,
    sellerId: seller.id,
    ...progress,
    dropTitle: titleOf(drop, sale),
    ...chosenIn(drop, sale),
    productType: drop.productType,
    quantity: 1,
    unitPriceCents: unitPriceOf(drop, sale),
    ...discountIn(drop, sale),
    amountCents: amountOf(drop, sale),
    ...shippingTo(drop, sale),
    platformFeeBps,
    ...splitAmount(amountOf(drop, sale), platformFeeBps),
    sellerPlan: seller.plan,
    cardFeeCents: estimateCardFeeCents(amountOf(drop, sale)),
    buyerEmail: buyer.email,
    buyerName: buyer.name,
    billingCountry: buyer.address.country,
    createdAt: paidAt,
    paidAt,
    shipsFrom: drop.shipsFrom,
    shipsBy: drop.shipsWithin === null ? null : new Date(shipDay(drop.endTime, drop.shipsWithin)),
    ...(drop.productType === 'physical'
      ? {
          buyerPhone: buyer.phone,
          shipName: buyer.name,
          shipLine1: buyer.address.line1,
          shipCity: buyer.address.city,
          shipState: buyer.address.state,
          shipPostalCode: buyer.address.postalCode,
          shipCountry: buyer.address.country,
        }
      : {}),
  }
}

type Progress = Pick<Prisma.OrderCreateManyInput, 'status' | 'deliveredAt' | 'deliveredBy'> & { shippedAt?: Date }

/**
 * Returns how far an order has come. A physical order that is older than a week is delivered. One that is older than
 * three days is shipped, and so is every third younger one. A service is done, and a digital order stays paid.
 */
function progressOf(drop: Drop, { paidAt, unit, isLate }: { paidAt: Date; unit: number; isLate: boolean }): Progress {
  const ageMs = Date.now() - paidAt.getTime()
  const after = (days: number) => new Date(Math.min(Date.now(), paidAt.getTime() + days * DAY_MS))
  if (drop.productType === 'digital') return { status: 'paid' }
  if (drop.productType === 'service') return { status: 'done', deliveredAt: after(1), deliveredBy: 'seller' }
  if (isLate) return { status: 'paid' }
  if (ageMs > 7 * DAY_MS) {
    return { status: 'delivered', shippedAt: after(1), deliveredAt: after(5), deliveredBy: 'buyer' }
  }
  return ageMs > 3 * DAY_MS || unit % 3 === 0 ? { status: 'shipped', shippedAt: after(1) } : { status: 'paid' }
}
