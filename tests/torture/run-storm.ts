import { setTimeout as sleep } from 'node:timers/promises'
import * as admin from './admin-verbs'
import * as buyers from './buyer-verbs'
import * as clock from './clock-verbs'
import { doFault } from './do-fault'
import * as features from './feature-verbs'
import * as offers from './offer-verbs'
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
  openFeatured: features.openFeatured,
  openFeaturedEmbedded: features.openFeaturedEmbedded,
  openEarlyLink: features.openEarlyLink,
  payEarly: features.payEarly,
  showKeys: features.showKeys,
  changeAddress: features.changeAddress,
  undoAddress: features.undoAddress,
  answerDelay: features.answerDelay,
  proposeShipDay: offers.proposeShipDay,
  replaceCode: offers.replaceCode,
  editScheduled: offers.editScheduled,
  editUnits: offers.editUnits,
  addKeys: offers.addKeys,
  makeLate: clock.makeLate,
  passAnswerTime: clock.passAnswerTime,
  openEarly: clock.openEarly,
  startPublicly: clock.startPublicly,
}

/**
 * How long the last steps and faults may take after the storm. They take seconds, or a few minutes on a busy machine.
 */
const MOST_MS_TO_END = 10 * 60_000

/** The actions of the administrator, who does one after the other. The actions of all others continue meanwhile. */
const ADMIN_VERBS: readonly VerbName[] = ['pause', 'remove', 'restore', 'extendDrop']

/**
 * The faults in a lane affect the same part of the system, so each of them waits until the previous one has ended.
 * Otherwise two faults would often end both processes, and no call would get a response until they had started again.
 * Faults without a lane may overlap with any other fault.
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

/** Returns the wanted process, or the other one if only that one runs, as a load balancer does. */
function livingApp({ apps }: World, wanted: 0 | 1): 0 | 1 {
  const other = wanted === 0 ? 1 : 0
  return !apps[wanted].isUp() && apps[other].isUp() ? other : wanted
}

/** Returns a function that runs work in a queue, after the work that was added to the same queue before. */
function createQueues() {
  const last = new Map<string, Promise<unknown>>()
  return (queue: string, work: () => Promise<unknown>): Promise<unknown> => {
    const done = (last.get(queue) ?? Promise.resolve()).then(work)
    last.set(
      queue,
      done.catch(() => {}),
    )
    return done
  }
}

/**
 * Runs the steps and faults of the plan at their times, and waits until all have ended. A step that throws counts as
 * skipped: some steps query the database to choose what they act on, and fail while it is unavailable. A fault that
 * throws is an error in the torture test itself, so the run fails.
 * @returns how many steps and faults were skipped
 */
export async function runStorm(world: World): Promise<{ skippedSteps: number; skippedFaults: number }> {
  const { plan } = world
  const memory = buyers.newMemory()
  const inTurn = createQueues()
  const startedAt = Date.now()
  let [skippedSteps, skippedFaults] = [0, 0]
  const underWay = new Set<string>()
  /** Records what is under way, so that the error about a storm that does not end can name what it waits for. */
  const noted = async (name: string, work: Promise<unknown>) => {
    const entry = `${name} since ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`
    underWay.add(entry)
    await work.finally(() => underWay.delete(entry))
  }

  const doStep = (planned: Step) => {
    const step = { ...planned, app: livingApp(world, planned.app) }
    const work = () => VERBS[step.verb](world, step, memory)
    const done = ADMIN_VERBS.includes(step.verb) ? inTurn('admin', work) : work()
    return done.catch(() => {
      skippedSteps += 1
    })
  }
  const lastMs = Math.max(...plan.steps.map(({ atMs }) => atMs))
  const isOver = () => Date.now() - startedAt > lastMs
  const start = (planned: PlannedFault) => {
    const lane = LANES[planned.fault]
    const work = async () => {
      // A fault is skipped if it had to wait for another one until the storm had ended.
      if (isOver()) skippedFaults += 1
      else await doFault(world, planned)
    }
    return lane ? inTurn(lane, work) : work()
  }
  const all = [
    ...plan.steps.map((step) => ({ atMs: step.atMs, name: step.verb, begin: () => doStep(step) })),
    ...plan.faults.map((planned) => ({ atMs: planned.atMs, name: planned.fault, begin: () => start(planned) })),
  ].sort((one, other) => one.atMs - other.atMs)
  const running: Promise<unknown>[] = []
  for (const { atMs, name, begin } of all) {
    const waitMs = startedAt + atMs - Date.now()
    if (waitMs > 0) await sleep(waitMs)
    const done = noted(name, begin())
    // Promise.all() below reports the error. Until then, Node must not treat the rejection as unhandled.
    done.catch(() => {})
    running.push(done)
  }
  const isLate = new AbortController()
  const waitTooLong = async () => {
    await sleep(MOST_MS_TO_END, undefined, { signal: isLate.signal })
    throw new Error(`The storm did not end. It waits for ${[...underWay].join(', ')}.`)
  }
  await Promise.race([Promise.all(running), waitTooLong()]).finally(() => isLate.abort())
  return { skippedSteps, skippedFaults }
}
