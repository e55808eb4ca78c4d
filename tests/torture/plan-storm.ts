import { randomFrom } from '../support/chance'
import { DROP_KINDS, FIRST_FEATURED } from './drop-kinds'

/** The actions of buyers, sellers, the administrator, banks and the clock, with their relative frequencies. */
const VERBS = {
  look: 16,
  lookAtPage: 4,
  open: 28,
  openEmbedded: 5,
  pay: 20,
  payTwice: 3,
  abandon: 4,
  readOrder: 6,
  readSuccessPage: 3,
  refund: 6,
  refundTwice: 2,
  ship: 5,
  changeQuantity: 2,
  remove: 1,
  restore: 3,
  endDrop: 1,
  extendDrop: 1,
  ageHolds: 3,
  endSoon: 1,
  runJobs: 2,
  bankActs: 3,
} as const

/**
 * The actions about drops with options, codes, zones, keys, numbers, early access and promises to ship. They have a
 * schedule of their own, with numbers for the drops from FIRST_FEATURED on.
 */
const FEATURE_VERBS = {
  look: 4,
  lookAtPage: 1,
  openFeatured: 30,
  openFeaturedEmbedded: 5,
  openEarlyLink: 9,
  payEarly: 9,
  showKeys: 6,
  changeAddress: 5,
  undoAddress: 1,
  answerDelay: 6,
  proposeShipDay: 2,
  makeLate: 4,
  passAnswerTime: 1,
  replaceCode: 2,
  editScheduled: 7,
  editUnits: 3,
  addKeys: 1,
} as const

/** When early access opens and when its drop starts for everyone, as fractions of the storm's length. */
const AT_PART = { openEarly: 0.2, startPublicly: 0.6 } as const

/**
 * The average number of seconds between two pauses of the platform and between two deletions by sellers. Each storm has
 * at least one of each, but few, because drops must be on sale during most of a storm.
 */
const EVERY_SECONDS = { pause: 11, deleteOwn: 17 } as const

export type VerbName =
  keyof typeof VERBS | keyof typeof EVERY_SECONDS | keyof typeof FEATURE_VERBS | keyof typeof AT_PART

/**
 * One planned action. All its numbers come from the seed. Which object a number selects depends on the objects that
 * exist when the action runs.
 */
export type Step = {
  atMs: number
  verb: VerbName
  app: 0 | 1
  drop: number
  buyer: number
  quantity: number
  card: number
  /** A number from 0 to 999,999 that selects one of the objects that exist then, for example an open checkout. */
  pick: number
}

const FAULTS = [
  'kill-app',
  'kill-both',
  'restart-app',
  'freeze-app',
  'crash-postgres',
  'restart-postgres',
  'freeze-postgres',
  'cut-database',
  'stripe-slow',
  'stripe-resets',
  'stripe-limits',
  'stripe-errors',
  'events-late',
  'events-lost',
  'mail-down',
] as const

export type FaultName = (typeof FAULTS)[number]

export type PlannedFault = { atMs: number; fault: FaultName; app: 0 | 1; lastsMs: number }

/** What happens to one Stripe event on its way to the application. */
export type EventFate = {
  delayMs: number
  app: 0 | 1
  isTwinned: boolean
  isAnswerLost: boolean
  comesAgainMs: number | null
}

export type StormPlan = {
  seed: number
  seconds: number
  steps: Step[]
  faults: PlannedFault[]
  /** What happens to each event, in the order of arrival. If there are more events, the list starts again. */
  fates: EventFate[]
}

const STEPS_PER_SECOND = 14
const FEATURE_STEPS_PER_SECOND = 9
/** Changes the seed of the schedule about features, so that it differs from that of the other actions. */
const FEATURE_SEED = 0x5eed
/**
 * After such a fault no call gets a response until a process has started, which would take up most of a short storm.
 */
const ONLY_IN_LONG_STORMS: readonly FaultName[] = ['kill-both']
const LONG_SECONDS = 60
const FIRST_FAULT_MS = 2_500
const FAULT_EVERY_MS = 2_600
const MAX_FATES = 997
/** The indexes of the drops that nobody ends, removes or deletes. Steps choose these drops more often. */
const LASTING = [0, 1, 3]

const BUYERS = 24
const DROPS = FIRST_FEATURED
const FEATURED_DROPS = DROP_KINDS.length - FIRST_FEATURED

const bagOf = <Name extends string>(often: Record<Name, number>): Name[] =>
  (Object.entries(often) as [Name, number][]).flatMap(([name, times]) => Array.from({ length: times }, () => name))

/** Plans the actions about features. They do not influence the schedule of the other actions. */
function planFeatures(seed: number, seconds: number): Step[] {
  const { below } = randomFrom(seed ^ FEATURE_SEED)
  const bag = bagOf(FEATURE_VERBS)
  const planStep = (verb: VerbName, atMs: number): Step => ({
    atMs,
    verb,
    app: below(2) === 0 ? 0 : 1,
    drop: DROPS + below(FEATURED_DROPS),
    buyer: below(BUYERS),
    quantity: 1 + below(2),
    card: below(1_000),
    pick: below(1_000_000),
  })
  const often = Array.from({ length: seconds * FEATURE_STEPS_PER_SECOND }, () =>
    planStep(bag[below(bag.length)] ?? 'look', below(seconds * 1_000)),
  )
  const once = Object.entries(AT_PART).map(([verb, part]) => planStep(verb as VerbName, part * seconds * 1_000))
  return [...often, ...once]
}

/**
 * Plans a storm from its seed and its length: all actions and faults with their times, and what happens to Stripe's
 * events.
 */
export function planStorm(seed: number, seconds: number): StormPlan {
  const { below, shuffle } = randomFrom(seed)
  const bag = bagOf(VERBS)
  const app = () => (below(2) === 0 ? 0 : 1)
  const planStep = (verb: VerbName): Step => ({
    atMs: below(seconds * 1_000),
    verb,
    app: app(),
    drop: below(3) < 2 ? (LASTING[below(LASTING.length)] ?? 0) : below(DROPS),
    buyer: below(BUYERS),
    // Most orders have few units, but some request more than the ten units that one order may have.
    quantity: below(12) === 0 ? 8 + below(4) : 1 + below(3),
    card: below(1_000),
    pick: below(1_000_000),
  })
  const rare = Object.entries(EVERY_SECONDS).flatMap(([verb, every]) =>
    Array.from({ length: Math.ceil(seconds / every) }, () => verb as VerbName),
  )
  const often = Array.from({ length: seconds * STEPS_PER_SECOND }, () => bag[below(bag.length)] ?? 'look')
  const steps = [...[...rare, ...often].map(planStep), ...planFeatures(seed, seconds)].sort(
    (one, other) => one.atMs - other.atMs,
  )

  const faults: PlannedFault[] = []
  // Every fault occurs once before any fault occurs a second time.
  const known = FAULTS.filter((fault) => seconds >= LONG_SECONDS || !ONLY_IN_LONG_STORMS.includes(fault))
  let deck: FaultName[] = []
  for (let atMs = FIRST_FAULT_MS; atMs < seconds * 1_000 - 1_000; atMs += FAULT_EVERY_MS / 2 + below(FAULT_EVERY_MS)) {
    if (deck.length === 0) deck = shuffle(known)
    faults.push({ atMs, fault: deck.pop() ?? 'kill-app', app: app(), lastsMs: 800 + below(3_500) })
  }

  const fates = Array.from({ length: MAX_FATES }, (): EventFate => ({
    delayMs: below(4) === 0 ? below(4_000) : below(150),
    app: app(),
    isTwinned: below(4) === 0,
    isAnswerLost: below(12) === 0,
    comesAgainMs: below(5) === 0 ? below(6_000) : null,
  }))
  return { seed, seconds, steps, faults, fates }
}

/**
 * Returns the same storm with `times` as much time between its actions and faults. Without it, a busy machine would
 * respond to few of the calls in time.
 */
export function slowDown(plan: StormPlan, times: number): StormPlan {
  const later = <Planned extends { atMs: number }>(planned: Planned) => ({ ...planned, atMs: planned.atMs * times })
  return { ...plan, steps: plan.steps.map(later), faults: plan.faults.map(later) }
}
