import { json } from './call'
import { keyLines, zonesWith } from './drop-kinds'
import type { Step } from './plan-storm'
import { act, callAsSeller, paidOrder } from './seller-verbs'
import type { TortureDrop, World } from './start-world'

const DAY_MS = 24 * 60 * 60_000

const dropWith = ({ drops }: World, matches: (drop: TortureDrop) => boolean): TortureDrop | undefined =>
  drops.find(matches)

/** Adds a code with few uses to a drop, and sometimes ends the oldest one, while buyers may be paying with it. */
export async function replaceCode(world: World, step: Step): Promise<void> {
  const drops = world.drops.filter(({ codes }) => codes.length > 0)
  const drop = drops[step.pick % drops.length]!
  const { rows } = await world.postgres.pool.query<{ id: number }>(
    `SELECT "id" FROM "DiscountCode" WHERE "dropId" = $1 AND "endedAt" IS NULL ORDER BY "id" LIMIT 1`,
    [drop.id],
  )
  const code = `NEW-${step.pick}`
  const fields = { code, percent: 5 + (step.card % 40), maxUses: 1 + (step.card % 4) }
  drop.codes.push(code)
  await callAsSeller(world, step, drop, 'addCode', '/codes', json(fields))
  if (rows[0] && step.card % 2 === 0)
    await callAsSeller(world, step, drop, 'endCode', `/codes/${rows[0].id}/end`, { method: 'POST' })
}

/**
 * Changes the price, the surcharge and the early units of the scheduled drop. This is refused once early access is
 * open, because buyers may be paying then.
 */
export async function editScheduled(world: World, step: Step): Promise<void> {
  const drop = dropWith(world, ({ kind }) => Boolean(kind.fields.earlyUnits))
  if (!drop) return
  const usual = Number(drop.kind.fields.earlyUnits)
  // Each edit has a different amount. After an edit that should have been refused, the earlier orders do not match it.
  const cents = String(10 + (step.card % 90))
  const edits = [
    { price: `15.${cents}` },
    { price: `14.${cents}` },
    { shippingZones: zonesWith(`4.${cents}`) },
    { earlyUnits: usual - (step.card % 2) },
  ]
  const edit = edits[step.pick % edits.length]!
  await callAsSeller(world, step, drop, 'editScheduled', '', json(edit, {}, 'PATCH'))
}

/** Sends a quantity that is one higher, one lower or the same for a numbered drop, or as the cap of an open edition. */
export async function editUnits(world: World, step: Step): Promise<void> {
  const drops = world.drops.filter(({ kind: { fields } }) => fields.isOpenEdition ?? fields.isNumbered)
  const drop = drops[step.pick % drops.length]!
  const { rows } = await world.postgres.pool.query<{ quantity: number }>(
    'SELECT "quantity" FROM "Drop" WHERE "id" = $1',
    [drop.id],
  )
  const quantity = String(Math.max(1, (rows[0]?.quantity ?? 1) + (step.card % 3) - 1))
  await callAsSeller(world, step, drop, 'editUnits', '', json({ quantity }, {}, 'PATCH'))
}

/** Adds one or two keys, which adds as many units. */
export async function addKeys(world: World, step: Step): Promise<void> {
  const drop = dropWith(world, ({ kind }) => Boolean(kind.fields.hasKeys))
  if (!drop) return
  const keys = keyLines(100_000 + (step.pick % 800_000), 1 + (step.card % 2))
  await callAsSeller(world, step, drop, 'addKeys', '', json({ keys }, {}, 'PATCH'))
}

/** Names another day by which a parcel will be shipped. */
export async function proposeShipDay(world: World, step: Step): Promise<void> {
  const order = await paidOrder(world, step.pick, `"status" = 'paid' AND "shipsBy" IS NOT NULL`)
  if (!order) return
  const day = new Date(Date.now() + (8 + (step.card % 9)) * DAY_MS).toISOString().slice(0, 10)
  await act(world, step, 'proposeShipDayAction', order, { orderId: order.id, day })
}
