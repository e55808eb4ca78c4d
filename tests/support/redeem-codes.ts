// This program takes, releases and pays holds with discount codes. A test runs two such processes at the same time:
//   node --conditions=react-server --import ./tests/support/register-typescript.mjs tests/support/redeem-codes.ts <JSON>
// The program prints as JSON how many orders with each code are open or paid at its end (`got`), and the highest number
// of uses that it saw for each code (`most`).
import { systemContext } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { newId, newSecret } from '@/lib/kernel/id'
import { markPaid } from '@/lib/checkout/settlement/mark-paid'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { randomFrom } from './chance'
import { meetOther } from './meet-other'

type Crowd = { dropId: number; codeIds: number[]; attempts: number; atOnce: number; meetingPlace: string; seed: number }
const { dropId, codeIds, attempts, atOnce, meetingPlace, seed } = JSON.parse(process.argv[2] ?? '{}') as Crowd
const ctx = systemContext('test')
const got: Record<number, number> = {}
const most: Record<number, number> = {}
let next = 0

const { below } = randomFrom(seed)

const nobody = { name: null, phone: null, shipName: null, line1: null, line2: null, city: null, state: null }
const payment = {
  chargeId: null,
  cardFeeCents: null,
  settlementCurrency: null,
  cardFingerprint: null,
  billingCountry: null,
  taxCents: 0,
}

/** Pays an open or a yielded hold. @returns whether the payment got its units and a use of its code. */
async function pay({ orderId, holdId }: { orderId: string; holdId: string }): Promise<boolean> {
  const outcome = await markPaid(ctx, {
    ...{ orderId, holdId, sessionId: null, mails: [], transfer: { amountCents: 0, dueAt: new Date() } },
    payment: { ...payment, intentId: newId('pi') },
    buyer: { ...nobody, postalCode: null, country: null, email: `${newSecret()}@example.com` },
  })
  return outcome === 'paid'
}

async function buyOneAfterAnother() {
  while (next < attempts) {
    next += 1
    const codeId = codeIds[below(codeIds.length)] ?? 0
    const buyer = { buyerKey: newSecret(), mode: 'hosted' as const, holdMs: 3_600_000 }
    const hold = await takeHold(ctx, { dropId, codeId, quantity: 1 + below(2), ...buyer })
    if (!hold) continue
    const fate = below(5)
    if (fate < 2) {
      await releaseHold(ctx, hold.holdId, fate === 0 ? 'cancelled' : 'yielded')
      // A payment after the hold was yielded uses the code again if a use is left.
      if (fate === 1 && (await pay(hold))) got[codeId] = (got[codeId] ?? 0) + 1
    } else if (fate < 4) {
      if (await pay(hold)) got[codeId] = (got[codeId] ?? 0) + 1
    } else got[codeId] = (got[codeId] ?? 0) + 1
    const rows = await ctx.db.discountCode.findMany({ where: { dropId } })
    for (const { id, used } of rows) most[id] = Math.max(most[id] ?? 0, used)
  }
}

await meetOther(meetingPlace)

await Promise.all(Array.from({ length: atOnce }, buyOneAfterAnother))
await closeDatabase()
console.log(JSON.stringify({ got, most }))
