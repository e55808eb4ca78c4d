import * as buyers from './buyer-verbs'
import type { BuyersMemory, Wanted } from './buyer-verbs'
import { call } from './call'
import { SIZES } from './drop-kinds'
import type { Step } from './plan-storm'
import type { TortureDrop, World } from './start-world'

const SERVED = ['DE', 'FR', 'US', 'GB']
const NOT_SERVED = 'JP'
const TOKEN_LETTERS = 43

/**
 * Returns a whole number from 0 to `limit` - 1, which follows from the step's random number. Choices of the same step
 * pass different salts, so that they do not all return the same number.
 */
const choice = ({ pick }: Step, salt: number, limit: number): number => Math.floor(pick / (salt + 7)) % limit

/**
 * Returns what a buyer chooses for a drop: one of its codes, countries and values, and sometimes a code that does not
 * exist, a country that no zone serves, or a value that the drop does not have.
 */
function wantedFor({ fields }: TortureDrop['kind'], codes: readonly string[], step: Step): Wanted {
  const code = [undefined, '', ...codes, ...codes, ...codes][choice(step, 1, 2 + 3 * codes.length)]
  const size = choice(step, 2, 14) === 0 ? 'XXL' : SIZES[choice(step, 3, SIZES.length)]
  const country = choice(step, 4, 10) === 0 ? NOT_SERVED : buyers.pickOf(SERVED, choice(step, 5, 1_000))
  return {
    quantity: step.quantity,
    code: choice(step, 6, 15) === 0 ? 'NOBODYS' : code,
    ...(fields.shippingZones && choice(step, 7, 12) > 0 ? { country } : {}),
    ...(fields.optionName ? { selectedVariants: { Size: size ?? 'S' } } : {}),
  }
}

const wanted = (world: World, step: Step): Wanted => {
  const { kind, codes } = buyers.dropOf(world, step)
  return wantedFor(kind, codes, step)
}

/** Opens a hosted checkout with a code, a country or a value. */
export function openFeatured(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  return buyers.open(world, step, memory, wanted(world, step))
}

/** Opens an embedded checkout with a code, a country or a value. */
export function openFeaturedEmbedded(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const { quantity: _, ...chosen } = wanted(world, step)
  return buyers.openEmbedded(world, step, memory, chosen)
}

/**
 * Opens a checkout with a follower's link. All buyers use the same few links, and some buyers have a link that nobody
 * was sent.
 */
export async function openEarlyLink(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const at = world.drops.findIndex(({ kind }) => kind.fields.earlyUnits)
  const onDrop = { ...step, drop: at }
  const mailed = buyers.pickOf(world.mail.earlyTokens, choice(step, 8, 1_000))
  const early = choice(step, 9, 10) === 0 ? `F${step.pick}`.padEnd(TOKEN_LETTERS, 'x') : mailed
  if (!early) return
  const chosen = { ...wanted(world, onDrop), country: buyers.pickOf(['DE', 'FR', 'GB'], choice(step, 5, 3)), early }
  if (choice(step, 10, 6) > 0) return buyers.open(world, onDrop, memory, chosen)
  const { quantity: _, ...embedded } = chosen
  return buyers.openEmbedded(world, onDrop, memory, embedded)
}

/** Pays the newest checkout of the drop with early access. Few checkouts belong to it, so `pay` rarely chooses one. */
export async function payEarly(world: World, step: Step, memory: BuyersMemory): Promise<void> {
  const checkout = memory.checkouts.findLast(({ drop }) => drop.kind.fields.earlyUnits)
  if (checkout) await buyers.payCheckout(world, checkout, { step, memory })
}

/** Chooses one of the twelve newest paid orders that meet the SQL condition `where`, with its secret token. */
async function ownOrder({ postgres }: World, pick: number, where: string) {
  const { rows } = await postgres.pool.query<{ id: string; token: string }>(
    `SELECT o."id", o."token" FROM "Order" o JOIN "Drop" d ON d."id" = o."dropId"
      WHERE o."paidAt" IS NOT NULL AND ${where} ORDER BY o."paidAt" DESC LIMIT 12`,
  )
  return buyers.pickOf(rows, pick)
}

const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) })

async function post(
  world: World,
  app: 0 | 1,
  verb: string,
  { id, token }: { id: string; token: string },
  fields: Record<string, string> = {},
): Promise<void> {
  const path = verb.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const about = { order: id, ...fields }
  const url = `${world.apps[app].url}/o/${token}/${path}`
  await call(world, { actor: 'buyer', verb, app, about, url, init: form(fields) })
}

/** Presses "Show my key", and reads the keys on the order page. The history keeps the keys. */
export async function showKeys(world: World, step: Step): Promise<void> {
  const order = await ownOrder(world, step.pick, 'd."keysGiven" IS NOT NULL')
  if (!order) return
  await post(world, step.app, 'keys', order)
  await call(world, {
    actor: 'buyer',
    verb: 'readKeys',
    app: step.app,
    about: { order: order.id },
    url: `${buyers.appUrl(world, step)}/o/${order.token}`,
    keep: (body) => [...new Set(body.match(/HOTKEY-\d{6}/g))].join(' '),
  })
}

const SHIPPED_TO = `o."productType" = 'physical'`

/** Sends another address for an order. Its country may be in another zone than the one that was paid for. */
export async function changeAddress(world: World, step: Step): Promise<void> {
  const order = await ownOrder(world, step.pick, SHIPPED_TO)
  if (!order) return
  const country = buyers.pickOf(SERVED, choice(step, 1, 1_000)) ?? 'DE'
  const { phone, name, city, postalCode } = buyers.address
  await post(world, step.app, 'address', order, {
    ...{ name, line1: `${step.card} New Road`, line2: '', city, state: '', postalCode, country, phone },
  })
}

/** Restores the earlier address of an order. */
export async function undoAddress(world: World, step: Step): Promise<void> {
  const order = await ownOrder(world, step.pick, `o."addressVersion" > 0`)
  if (order) await post(world, step.app, 'undoAddress', order)
}

/**
 * Answers the question about a late parcel. Some buyers send both answers at the same moment, each to a different
 * process, and some answer about a day that the page no longer shows.
 */
export async function answerDelay(world: World, step: Step): Promise<void> {
  const { rows } = await world.postgres.pool.query<{ id: string; token: string; day: string }>(
    `SELECT o."id", o."token", to_char(s."newDay" AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "day"
       FROM "ShippingDelay" s JOIN "Order" o ON o."id" = s."orderId" ORDER BY s."answeredAt" DESC NULLS FIRST, s."id" LIMIT 4`,
  )
  const asked = buyers.pickOf(rows, step.pick)
  if (!asked) return
  const day = step.card % 9 === 0 ? '2026-01-01' : asked.day
  const answer = step.card % 2 === 0 ? 'wait' : 'refund'
  const once = post(world, step.app, 'delay', asked, { answer, day })
  if (step.card % 3 > 0) return once
  const other = { answer: answer === 'wait' ? 'refund' : 'wait', day }
  await Promise.all([once, post(world, step.app === 0 ? 1 : 0, 'delay', asked, other)])
}
