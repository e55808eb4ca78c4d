import { builtActions } from '../support/built-actions'
import { call, json } from './call'
import type { Step } from './plan-storm'
import type { TortureDrop, World } from './start-world'

/** The indexes of the drops that may be ended, removed or deleted during a storm. The others never are. */
const PERISHABLE = [2, 4, 5]
const ID_LETTERS = 22

type PaidOrder = {
  id: string
  sellerId: number
  amountCents: number
  unitPriceCents: number
  quantity: number
  productType: string
}

/** Chooses one of the drops that may end during a storm. */
export function perishable({ drops }: World, { pick }: Step): TortureDrop {
  return drops[PERISHABLE[pick % PERISHABLE.length]!]!
}

const actions = new Map<string, { id: string; place: string }>()

/** Calls a server action as the form on the seller's page does. */
export async function act(
  world: World,
  step: Step,
  name: string,
  order: PaidOrder,
  input: object,
  app = step.app,
): Promise<void> {
  if (actions.size === 0) {
    for (const { id, what, place } of builtActions()) actions.set(what.split(' ')[1] ?? '', { id, place })
  }
  const action = actions.get(name)
  const seller = world.drops.find((drop) => drop.seller.id === order.sellerId)?.seller
  if (!action || !seller) throw new Error(`There is no action ${name}.`)
  const place = action.place.replace('[id]', order.id)
  await call(world, {
    actor: seller.username,
    verb: name,
    app,
    about: { order: order.id, ...input },
    url: world.apps[app].url + place,
    init: {
      method: 'POST',
      headers: { 'next-action': action.id, 'content-type': 'text/plain;charset=UTF-8', cookie: seller.cookie },
      body: JSON.stringify([input]),
    },
  })
}

/**
 * Chooses one of the twelve newest paid orders that meet the SQL condition `where`. Returns undefined if there is none.
 */
export async function paidOrder({ postgres }: World, pick: number, where = 'true'): Promise<PaidOrder | undefined> {
  const { rows } = await postgres.pool.query<PaidOrder>(
    `SELECT "id", "sellerId", "amountCents", "unitPriceCents", "quantity", "productType" FROM "Order"
      WHERE "paidAt" IS NOT NULL AND ${where} ORDER BY "paidAt" DESC LIMIT 12`,
  )
  return rows[pick % Math.max(1, rows.length)]
}

/** Refunds an order or a part of it. With `isTwice`, the same refund is sent to both processes at the same moment. */
export async function refund(world: World, step: Step, isTwice = false): Promise<void> {
  const order = await paidOrder(world, step.pick)
  if (!order) return
  const units = 1 + (step.pick % order.quantity)
  const isWhole = step.card % 2 === 0
  const input = {
    orderId: order.id,
    refundId: `ref_${`t${step.pick}x${step.card}x${Math.round(step.atMs)}`.padEnd(ID_LETTERS, 'Z').slice(0, ID_LETTERS)}`,
    amountCents: isWhole ? order.unitPriceCents * units : 1 + (step.pick % order.amountCents),
    restockUnits: isWhole && step.card % 3 > 0 ? units : 0,
  }
  const once = act(world, step, 'refundOrderAction', order, input)
  if (!isTwice) return once
  await Promise.all([once, act(world, step, 'refundOrderAction', order, input, step.app === 0 ? 1 : 0)])
}

/** Marks an order as shipped, which makes its payout due. */
export async function ship(world: World, step: Step): Promise<void> {
  const order = await paidOrder(world, step.pick, `"productType" = 'physical' AND "status" = 'paid'`)
  if (order)
    await act(world, step, 'markShippedAction', order, {
      orderId: order.id,
      carrier: 'UPS',
      trackingNumber: `1Z${step.pick}`,
    })
}

export async function callAsSeller(
  world: World,
  step: Step,
  drop: TortureDrop,
  verb: string,
  path: string,
  init: RequestInit,
): Promise<void> {
  const headers = { ...init.headers, cookie: drop.seller.cookie }
  const url = `${world.apps[step.app].url}/api/drops/${drop.id}${path}`
  await call(world, {
    actor: drop.seller.username,
    verb,
    app: step.app,
    about: { drop: drop.id },
    url,
    init: { ...init, headers },
  })
}

/** Adds one to three units to a drop. */
export async function changeQuantity(world: World, step: Step): Promise<void> {
  const drop = world.drops[step.drop % world.drops.length]!
  const { rows } = await world.postgres.pool.query<{ quantity: number }>(
    'SELECT "quantity" FROM "Drop" WHERE "id" = $1',
    [drop.id],
  )
  if (!rows[0]) return
  const quantity = String(rows[0].quantity + 1 + (step.pick % 3))
  await callAsSeller(world, step, drop, 'changeQuantity', '', json({ quantity }, {}, 'PATCH'))
}

/** Deletes a drop as its seller. */
export function deleteOwn(world: World, step: Step): Promise<void> {
  return callAsSeller(world, step, perishable(world, step), 'deleteOwn', '', { method: 'DELETE' })
}

/** Ends a drop early as its seller. */
export function endDrop(world: World, step: Step): Promise<void> {
  return callAsSeller(world, step, perishable(world, step), 'endDrop', '/end', { method: 'POST' })
}
