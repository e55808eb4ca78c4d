import { isDeepStrictEqual } from 'node:util'
import { extendLiveDrops } from '@/lib/admin/extend-live-drops'
import { updateDrop } from '@/lib/admin/update-drop'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { editDrop } from '@/lib/drops/edit-drop'
import { endDrop } from '@/lib/drops/end-drop'
import { relaunchDrop } from '@/lib/drops/relaunch-drop'
import { renewDrops } from '@/lib/drops/renew-drops'
import { systemContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import { HOUR_MS, MINUTE_MS } from '@/lib/kernel/time'
import { setPlatformState } from '@/lib/platform/set-platform-state'
import type { randomFrom } from './chance'
import { actorOf, contextFor, makeDrop, makeSeller } from './factories'
import { sellUnits } from './sell-units'

/**
 * What a test has observed of one run: from its own actions, the drop's row and its orders, and not from the recorded
 * history that is being tested.
 */
export type SeenRun = {
  run: number
  quantity: number
  sold: number
  /** How long the run took to sell out; null while units are left. */
  soldOutMs: number | null
  isAutoRenew: boolean
  /** Whether the run ended before its start. */
  isCanceled: boolean
  changes: SeenChange[]
}
/** The units of each value of the option by its name; empty for a drop without an option. */
type Units = Record<string, number>
export type SeenChange = {
  reason: string
  by: string
  startMs: number
  endMs: number
  units: number
  /** The units of each value before and after the change; null when no value changed. */
  values: [before: Units, after: Units] | null
}

type World = {
  dropId: number
  seller: Awaited<ReturnType<typeof makeSeller>>
  admin: Awaited<ReturnType<typeof makeSeller>>
}
type Verb = (world: World, random: ReturnType<typeof randomFrom>) => Promise<{ reason: string; by: string } | null>

const rowOf = ({ dropId }: World) => db().drop.findUniqueOrThrow({ where: { id: dropId } })
const endOf = ({ endTime, archivedAt }: { endTime: Date; archivedAt: Date | null }) =>
  Math.min(endTime.getTime(), archivedAt?.getTime() ?? Infinity)
const isOver = async (world: World) => endOf(await rowOf(world)) <= Date.now()

/** Lets time pass for one drop by moving the times of the drop, its runs and their changes into the past. */
async function passTime(dropId: number, ms: number): Promise<void> {
  const seconds = ms / 1_000
  const back = (column: string) => `"${column}" = "${column}" - make_interval(secs => ${seconds})`
  const tables: [string, string, string[]][] = [
    ['Drop', 'id', ['startedAt', 'endTime', 'archivedAt']],
    ['DropRun', 'dropId', ['startedAt', 'endTime', 'firstEndTime', 'soldOutAt', 'renewDueAt']],
    ['RunChange', 'dropId', ['at', 'startBefore', 'startAfter', 'endBefore', 'endAfter']],
  ]
  for (const [table, key, columns] of tables) {
    await db().$executeRawUnsafe(`UPDATE "${table}" SET ${columns.map(back).join(', ')} WHERE "${key}" = ${dropId}`)
  }
}

async function unitsOf({ dropId }: World): Promise<Units> {
  const values = await db().optionValue.findMany({ where: { dropId } })
  return Object.fromEntries(values.map(({ value, quantity }) => [value, quantity]))
}

const SIZES = ['S', 'M', 'L', 'XL']

/** Raises the units of values. Before the first sale, values are also added, removed and lowered. */
async function changeSizes(world: World, below: ReturnType<typeof randomFrom>['below']) {
  const { purchases } = await rowOf(world)
  const known = await unitsOf(world)
  const raised = Object.entries(known).map(([value, quantity]) => ({ value, quantity: quantity + below(3) }))
  const anyOf = SIZES.map((value) => ({ value, quantity: below(4) })).filter(() => below(3) > 0)
  const options = purchases > 0 ? raised : [...anyOf, { value: 'One', quantity: 1 + below(3) }]
  await editDrop(contextFor(actorOf(world.seller)), { dropId: world.dropId, fields: { options }, images: [] })
  return { reason: 'values', by: 'seller' }
}

const bySeller = { by: 'seller' }
const byPlatform = { by: 'platform' }

const verbs: Verb[] = [
  async (world, { below }) => {
    const drop = await rowOf(world)
    if (await isOver(world)) return null
    if (drop.optionName !== null) return changeSizes(world, below)
    const fields = { quantity: drop.quantity + 1 + below(10) }
    await editDrop(contextFor(actorOf(world.seller)), { dropId: world.dropId, fields, images: [] })
    return { reason: 'units', ...bySeller }
  },
  async (world) => {
    const drop = await rowOf(world)
    if (drop.startedAt.getTime() <= Date.now() || (await isOver(world))) return null
    const startsAt = new Date(drop.startedAt.getTime() + 7 * HOUR_MS).toISOString()
    const fields = { startsAt, duration: 48 as const }
    await editDrop(contextFor(actorOf(world.seller)), { dropId: world.dropId, fields, images: [] })
    return { reason: 'rescheduled', ...bySeller }
  },
  async (world) => {
    if (await isOver(world)) return null
    await endDrop(contextFor(actorOf(world.seller)), { dropId: world.dropId })
    return { reason: 'ended', ...bySeller }
  },
  async (world, { below }) => {
    if (await isOver(world)) return null
    const action = (['extend', 'archive', 'end'] as const)[below(3)]!
    const hours = action === 'extend' ? { hours: 1 + below(72) } : {}
    await updateDrop(contextFor(actorOf(world.admin)), world.dropId, { action, ...hours })
    return { reason: { extend: 'extended', archive: 'withdrawn', end: 'ended' }[action], ...byPlatform }
  },
  async (world, { below }) => {
    if (!(await isOver(world)) || (await rowOf(world)).startedAt.getTime() > Date.now()) return null
    await updateDrop(contextFor(actorOf(world.admin)), world.dropId, { action: 'restore', hours: 1 + below(30) })
    return { reason: 'restored', ...byPlatform }
  },
  // Simulates an outage: the platform is paused, time passes, and every live drop is extended by an hour more than was
  // lost. Half of the outages also extend drops that ended meanwhile.
  async (world, { below }) => {
    const admin = contextFor(actorOf(world.admin))
    const hours = 1 + below(5)
    const endedSince = new Date(Date.now() - hours * HOUR_MS).toISOString()
    await setPlatformState(admin, { isActive: false })
    await passTime(world.dropId, hours * HOUR_MS)
    await setPlatformState(admin, { isActive: true })
    await extendLiveDrops(admin, { hours: hours + 1, ...(below(2) === 0 ? { endedSince } : {}) })
    return { reason: 'outage', ...byPlatform }
  },
]

/** Plays a random history of one drop and returns what was observed of each run. */
export async function playHistory(random: ReturnType<typeof randomFrom>) {
  const world = await startWorld(random)
  const seen: SeenRun[] = [await firstRun(world)]
  for (let step = 0; step < 6; step += 1) {
    const drop = await rowOf(world)
    if (endOf(drop) <= Date.now()) {
      if (random.below(3) > 0) await nextRun(world, random, seen)
    } else if (drop.startedAt.getTime() > Date.now() && random.below(2) === 0) {
      await passTime(world.dropId, drop.startedAt.getTime() - Date.now() + MINUTE_MS)
    } else if (random.below(2) === 0) await sell(world, random, seen)
    const current = seen.at(-1)!
    if (current.run === (await rowOf(world)).run) await act(world, random, current)
    await passTime(world.dropId, random.below(20 * 60) * MINUTE_MS)
  }
  return { ...world, seen }
}

async function startWorld({ below }: ReturnType<typeof randomFrom>): Promise<World> {
  const seller = await makeSeller({ plan: 'pro', autoRenewDrops: below(2) === 0 })
  const admin = await makeSeller({ isAdmin: true })
  const startedAt = new Date(Date.now() + (below(4) === 0 ? 5 * HOUR_MS : 0))
  const endTime = new Date(startedAt.getTime() + 24 * HOUR_MS)
  const quantity = 1 + below(5)
  const productType = below(2) === 0 ? 'physical' : 'service'
  const values = { create: [{ value: 'S', position: 0, quantity }] }
  const option = below(2) === 0 ? { optionName: 'Size', values } : {}
  const drop = await makeDrop({ userId: seller.id, startedAt, endTime, quantity, productType, ...option })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity, startedAt, endTime } })
  return { dropId: drop.id, seller, admin }
}

const firstRun = async (world: World): Promise<SeenRun> => ({
  ...{ run: 1, quantity: (await rowOf(world)).quantity, sold: 0, soldOutMs: null, isAutoRenew: false },
  ...{ isCanceled: false, changes: [] },
})

async function sell(world: World, { below }: ReturnType<typeof randomFrom>, seen: SeenRun[]): Promise<void> {
  const drop = await rowOf(world)
  const left = drop.quantity - drop.sold
  if (left === 0 || !drop.isActive || drop.startedAt.getTime() > Date.now()) return
  const value = await db().optionValue.findFirst({
    where: { dropId: world.dropId, quantity: { gt: db().optionValue.fields.sold } },
    orderBy: { position: 'asc' },
  })
  const units = 1 + below(Math.min(3, value ? value.quantity - value.sold : left))
  const { paidAt } = await sellUnits(world.dropId, units, value?.id)
  const run = seen.at(-1)!
  run.sold += units
  if (run.sold === run.quantity) run.soldOutMs = paidAt.getTime() - drop.startedAt.getTime()
}

/** Does one random action and records by how much the drop's own row changed. */
async function act(world: World, random: ReturnType<typeof randomFrom>, run: SeenRun): Promise<void> {
  const measure = async () => {
    const row = await rowOf(world)
    return { row, start: row.startedAt.getTime(), end: endOf(row), values: await unitsOf(world) }
  }
  const before = await measure()
  const clock = await clockOf(world.dropId)
  const done = await verbs[random.below(verbs.length)]!(world, random)
  if (!done) return
  const after = await measure()
  // Time that passes during the action does not count as a change.
  const passed = clock - (await clockOf(world.dropId))
  const change = {
    ...done,
    startMs: after.start - before.start + passed,
    endMs: after.end - before.end + passed,
    units: after.row.quantity - before.row.quantity,
    values: isDeepStrictEqual(before.values, after.values) ? null : ([before.values, after.values] as [Units, Units]),
  }
  if (change.units !== 0) run.quantity = after.row.quantity
  if (change.units > 0) run.soldOutMs = null
  run.isCanceled = after.end <= after.start
  if (change.startMs || change.endMs || change.units || change.values) run.changes.push(change)
}

/** Returns the announced end of the first run, which only passTime() moves. */
async function clockOf(dropId: number): Promise<number> {
  const run = await db().dropRun.findUniqueOrThrow({ where: { dropId_run: { dropId, run: 1 } } })
  return run.firstEndTime!.getTime()
}

async function nextRun(world: World, random: ReturnType<typeof randomFrom>, seen: SeenRun[]): Promise<void> {
  const { dropId } = world
  await archiveDrops(systemContext('test'))
  const sinceEndMs = Date.now() - (await rowOf(world)).endTime.getTime()
  await passTime(dropId, Math.max(0, 25 * HOUR_MS - sinceEndMs))
  await renewDrops(systemContext('test'))
  const { run } = await rowOf(world)
  const isAutoRenew = run > seen.at(-1)!.run
  if (!isAutoRenew) {
    const quantity = 1 + random.below(6)
    const [value] = Object.keys(await unitsOf(world))
    const units = value === undefined ? { quantity } : { options: [{ value, quantity }] }
    await relaunchDrop(contextFor(actorOf(world.seller)), { dropId, duration: 24, ...units })
  }
  const row = await rowOf(world)
  seen.push({
    ...{ run: row.run, quantity: row.quantity, sold: 0, soldOutMs: null, isAutoRenew, isCanceled: false, changes: [] },
  })
}
