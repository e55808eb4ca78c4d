import { db } from '@/lib/infra/db'
import { HOUR_MS } from '@/lib/kernel/time'
import { newId } from '@/lib/kernel/id'
import type { QueuedMail } from '@/lib/notifications/compose-mail'
import { markPaid } from '@/lib/checkout/settlement/mark-paid'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { visitor } from './factories'

const nobody = {
  phone: null,
  shipName: null,
  line1: null,
  line2: null,
  city: null,
  state: null,
  postalCode: null,
  country: null,
}

/** Pays for the units of a hold with the same statements that run after a payment at Stripe. */
export function payFor(
  held: { orderId: string; holdId: string; amountCents: number },
  email: string | null = null,
  mails: QueuedMail[] = [],
) {
  return markPaid(visitor(), {
    orderId: held.orderId,
    holdId: held.holdId,
    sessionId: newId('cs'),
    payment: {
      intentId: newId('pi'),
      chargeId: newId('ch'),
      cardFeeCents: 0,
      settlementCurrency: 'usd',
      cardFingerprint: null,
      billingCountry: null,
      taxCents: 0,
    },
    buyer: { email, name: 'Bea', ...nobody },
    transfer: { amountCents: held.amountCents, dueAt: new Date(Date.now() + HOUR_MS) },
    mails,
  })
}

/** Holds units of a drop, or of one value of its option, for a new buyer. */
export async function holdUnits(dropId: number, quantity: number, valueId?: number) {
  const wanted = { dropId, quantity, valueId, buyerKey: newId('buyer'), mode: 'hosted', holdMs: HOUR_MS } as const
  const held = await takeHold(visitor(), wanted)
  if (!held) throw new Error(`${quantity} units of drop ${dropId} could not be held`)
  return held
}

/** Sells units of a drop to a new buyer, and returns the order. */
export async function sellUnits(dropId: number, quantity: number, valueId?: number) {
  const held = await holdUnits(dropId, quantity, valueId)
  const outcome = await payFor(held)
  if (outcome !== 'paid') throw new Error(`the payment is ${outcome}`)
  const order = await db().order.findUniqueOrThrow({ where: { id: held.orderId } })
  return { ...order, paidAt: order.paidAt! }
}
