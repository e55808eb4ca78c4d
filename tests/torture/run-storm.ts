import { setTimeout as sleep } from 'node:timers/promises'
import * as admin from './admin-verbs'
import * as buyers from './buyer-verbs'
import * as clock from './clock-verbs'
import { doFault } from './do-fault'
import type { FaultName, PlannedFault, Step, VerbName } from './plan-storm'
import * as sellers from './seller-verbs'
import type { World } from './start-world'

type Verb = (world: World, step: Step, memory: buyers.BuyersMemory) => Promise<unknown>

const VERBS: Record<VerbName, Verb> = {
  look: buyers.look,
  lookAtPage: buyers.lookAtPage,
  open: buyers.open,
  openEmbedded: buyers.openEmbedded,
  pay: buyers.pay,
  payTwice: (world, step, memory) => buyers.pay(world, step, memory, 2),
  abandon: buyers.abandon,
  readOrder: buyers.readOrder,
  readSuccessPage: buyers.readSuccessPage,
  refund: (world, step) => sellers.refund(world, step),
  refundTwice: (world, step) => sellers.refund(world, step, true),
  ship: sellers.ship,
  changeQuantity: sellers.changeQuantity,
  pause: admin.pause,
  remove: admin.remove,
  restore: admin.restore,
  deleteOwn: sellers.deleteOwn,
  endDrop: sellers.endDrop,
  extendDrop: admin.extendDrop,
  ageHolds: clock.ageHolds,
  endSoon: clock.endSoon,
  runJobs: clock.runJobs,
  bankActs: clock.bankActs,
}

/** There is one administrator, who does one thing after the other. */
const ALONE: readonly VerbName[] = ['pause', 'remove', 'restore', 'extendDrop']

/**
 * Faults of one lane affect the same part of the world, so each waits for the one before. Otherwise two faults would often
 * take both processes away, and nothing would answer while they start again, which takes long on a busy machine.
 */
const LANES: Partial<Record<FaultName, 'process' | 'postgres' | 'stripe' | 'events'>> = {
  'kill-app': 'process',
  'kill-both': 'process',
  'restart-app': 'process',
  'freeze-app': 'process',
  'crash-postgres': 'postgres',
  'restart-postgres': 'postgres',
  'freeze-postgres': 'postgres',
  'stripe-slow': 'stripe',
  'stripe-resets': 'stripe',
  'stripe-limits': 'stripe',
  'stripe-errors': 'stripe',
  'events-late': 'events',
  'events-lost': 'events',
}

/** A load balancer sends nobody to a process that is known to be away, unless both are. */
function livingApp({ apps }: World, wanted: 0 | 1): 0 | 1 {
  const other = wanted === 0 ? 1 : 0
  return !apps[wanted].isUp() && apps[other].isUp() ? other : wanted
}

/** Runs the work of each lane one after the other. */
function createLanes() {
  const last = new Map<string, Promise<unknown>>()
  return (lane: string, work: () => Promise<unknown>): Promise<unknown> => {
    const done = (last.get(lane) ?? Promise.resolve()).then(work)
    last.set(
      lane,
      done.catch(() => {}),
    )
    return done
  }
}

/**
 * Does the steps and faults of the plan at their times, and waits until all have ended. A verb that cannot choose what to do
 * because the database is away is left out; a fault that cannot be made is a mistake of the torture itself.
 */
export async function runStorm(world: World): Promise<{ skippedVerbs: number; skippedFaults: number }> {
  const { plan } = world
  const memory = buyers.newMemory()
  const inLane = createLanes()
  const startedAt = Date.now()
  let [skipped, left] = [0, 0]

  const doStep = (planned: Step) => {
    const step = { ...planned, app: livingApp(world, planned.app) }
    const work = () => VERBS[step.verb](world, step, memory)
    const done = ALONE.includes(step.verb) ? inLane('admin', work) : work()
    return done.catch(() => {
      skipped += 1
    })
  }
  const isOver = () => Date.now() - startedAt > plan.seconds * 1_000
  const start = (planned: PlannedFault) => {
    const lane = LANES[planned.fault]
    const work = async () => {
      // This fault waited for another one until the storm was over.
      if (isOver()) left += 1
      else await doFault(world, planned)
    }
    return lane ? inLane(lane, work) : work()
  }
  const all = [
    ...plan.steps.map((step) => ({ atMs: step.atMs, begin: () => doStep(step) })),
    ...plan.faults.map((planned) => ({ atMs: planned.atMs, begin: () => start(planned) })),
  ].sort((one, other) => one.atMs - other.atMs)
  const under: Promise<unknown>[] = []
  for (const { atMs, begin } of all) {
    const waitMs = startedAt + atMs - Date.now()
    if (waitMs > 0) await sleep(waitMs)
    const done = begin()
    done.catch(() => {})
    under.push(done)
  }
  await Promise.all(under)
  return { skippedVerbs: skipped, skippedFaults: left }
}
