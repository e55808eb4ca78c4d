import 'server-only'
import type { Drop, OptionValue, Prisma, User } from '@prisma/client'
import type { Db } from '@/lib/infra/db'
import { paymentsMode } from '@/lib/infra/stripe'
import { brand } from '@/lib/kernel/brand'
import { newId, newSecret } from '@/lib/kernel/id'
import { estimateCardFeeCents, splitAmount } from '@/lib/kernel/money'
import { DAY_MS } from '@/lib/kernel/time'
import { choiceMetadata } from '@/lib/orders/rules'
import { netCents, transferDueAt } from '@/lib/payouts/rules'
import { planRules } from '@/lib/plans/rules'
import { demoBuyers, type DemoDrop } from './demo-data'

/**
 * Writes one paid order per unit that the demo says is sold, spread over the drop's run. The amounts add up like those of real
 * orders. In the sandbox, each order has a payment at the stand-in for Stripe, so that it can be refunded and paid out.
 */
export async function seedOrders(tx: Db, drop: Drop, demo: DemoDrop, seller: User): Promise<void> {
  const from = drop.startedAt.getTime()
  const until = Math.min(drop.endTime.getTime(), Date.now())
  const holds: Prisma.HoldCreateManyInput[] = []
  const orders: Prisma.OrderCreateManyInput[] = []
  const transfers: Prisma.TransferCreateManyInput[] = []
  const stripeObjects: Prisma.SandboxObjectCreateManyInput[] = []
  const values = await tx.optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
  const chosen = values.flatMap((value) => Array.from({ length: value.sold }, () => value))
  for (let unit = 0; unit < demo.sold; unit += 1) {
    // Most sales come early: the exponent moves them towards the launch.
    const paidAt = new Date(from + (until - from) * ((unit + 1) / (demo.sold + 1)) ** 1.6)
    const sale: Sale = {
      orderId: newId('ord'),
      holdId: newId('hold'),
      paidAt,
      unit,
      buyer: demoBuyers[(unit * 7 + drop.id) % demoBuyers.length]!,
      progress: progressOf(drop, paidAt, unit),
      // In steps of four, so that the newest orders do not all have the same value.
      value: chosen[(unit * 4) % Math.max(1, chosen.length)] ?? null,
    }
    const payment = paymentsMode() === 'sandbox' ? await paymentOf(drop, sale) : null
    for (const object of payment?.objects ?? []) {
      const json = object as unknown as Prisma.InputJsonObject
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
  await tx.order.createMany({ data: orders })
  await tx.transfer.createMany({ data: transfers })
  await tx.drop.update({ where: { id: drop.id }, data: { sold: demo.sold, purchases: demo.sold } })
}

/** One unit that was sold, to whom and when; `unit` counts the units of the drop. */
type Sale = {
  orderId: string
  holdId: string
  paidAt: Date
  unit: number
  buyer: (typeof demoBuyers)[number]
  progress: Progress
  /** The value of the drop's option. */
  value: OptionValue | null
}

const titleOf = ({ title, optionName }: Drop, { value }: Sale) =>
  value ? `${title} (${optionName} ${value.value})` : title

async function paymentOf(drop: Drop, sale: Sale) {
  const { orderId, paidAt, buyer } = sale
  const { pastPayment } = await import('@/lib/sandbox/stripe/past-payment')
  return pastPayment({
    amountCents: drop.priceCents,
    paidAt,
    description: `${titleOf(drop, sale)} – ${brand.name}`,
    metadata: {
      orderId,
      dropId: String(drop.id),
      mode: 'embedded',
      ...choiceMetadata({ ...chosenIn(drop, sale), discountCode: null, discountCents: 0 }),
    },
    buyer,
  })
}

const chosenIn = ({ optionName }: Drop, { value }: Sale) => ({
  optionName: value ? optionName : null,
  optionValue: value?.value ?? null,
})

function holdOf(drop: Drop, { holdId, paidAt, unit, value }: Sale): Prisma.HoldCreateManyInput {
  return {
    id: holdId,
    dropId: drop.id,
    valueId: value?.id ?? null,
    run: 1,
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
    unitPriceCents: drop.priceCents,
    amountCents: drop.priceCents,
    platformFeeBps,
    ...splitAmount(drop.priceCents, platformFeeBps),
    sellerPlan: seller.plan,
    cardFeeCents: estimateCardFeeCents(drop.priceCents),
    buyerEmail: buyer.email,
    buyerName: buyer.name,
    createdAt: paidAt,
    paidAt,
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

/** Older orders are further: paid, then shipped (on day one), after a week delivered (on day five). A service takes a day. */
function progressOf(drop: Drop, paidAt: Date, unit: number): Progress {
  const ageMs = Date.now() - paidAt.getTime()
  const after = (days: number) => new Date(Math.min(Date.now(), paidAt.getTime() + days * DAY_MS))
  if (drop.productType === 'digital') return { status: 'paid' }
  if (drop.productType === 'service') return { status: 'done', deliveredAt: after(1), deliveredBy: 'seller' }
  if (ageMs > 7 * DAY_MS) {
    return { status: 'delivered', shippedAt: after(1), deliveredAt: after(5), deliveredBy: 'buyer' }
  }
  return ageMs > 3 * DAY_MS || unit % 3 === 0 ? { status: 'shipped', shippedAt: after(1) } : { status: 'paid' }
}
