import { randomFrom } from '../support/chance'

/** What buyers, sellers, administrators, the bank and the clock do. The number says how often, relative to the others. */
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

/** These end sales, so they come only once in so many seconds on average: most of a storm has to find drops on sale. */
const EVERY_SECONDS = { pause: 11, deleteOwn: 17 } as const

export type VerbName = keyof typeof VERBS | keyof typeof EVERY_SECONDS

/** One thing to do. Every number in it comes from the seed; what a number selects depends on what is there at that moment. */
export type Step = {
  atMs: number
  verb: VerbName
  app: 0 | 1
  drop: number
  buyer: number
  quantity: number
  card: number
  /** Chooses among what is there then, such as open checkouts: a number from 0 to 999 999. */
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

/** What becomes of one event of Stripe on its way. */
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
  /** The fate of the events in the order in which they come; used again from the start when there are more. */
  fates: EventFate[]
}

const STEPS_PER_SECOND = 14
/** After such a fault nothing answers until a process has started, so a short storm would be mostly silence. */
const ONLY_IN_LONG_STORMS: readonly FaultName[] = ['kill-both']
const LONG_SECONDS = 60
const FIRST_FAULT_MS = 2_500
const FAULT_EVERY_MS = 2_600
const MOST_FATES = 997
/** The drops that stay on sale, and are therefore chosen more often. */
const LASTING = [0, 1, 3]

const BUYERS = 24
const DROPS = 6

/** Decides everything that the seed decides: the verbs, the faults and their times, and what becomes of Stripe's events. */
export function planStorm(seed: number, seconds: number): StormPlan {
  const { below, shuffle } = randomFrom(seed)
  const bag = Object.entries(VERBS).flatMap(([verb, often]) => Array.from({ length: often }, () => verb as VerbName))
  const app = () => (below(2) === 0 ? 0 : 1)
  const planStep = (verb: VerbName): Step => ({
    atMs: below(seconds * 1_000),
    verb,
    app: app(),
    drop: below(3) < 2 ? (LASTING[below(LASTING.length)] ?? 0) : below(DROPS),
    buyer: below(BUYERS),
    // Most orders have few units; some ask for more than one order may have.
    quantity: below(12) === 0 ? 8 + below(4) : 1 + below(3),
    card: below(1_000),
    pick: below(1_000_000),
  })
  const rare = Object.entries(EVERY_SECONDS).flatMap(([verb, every]) =>
    Array.from({ length: Math.ceil(seconds / every) }, () => verb as VerbName),
  )
  const often = Array.from({ length: seconds * STEPS_PER_SECOND }, () => bag[below(bag.length)] ?? 'look')
  const steps = [...rare, ...often].map(planStep).sort((one, other) => one.atMs - other.atMs)

  const faults: PlannedFault[] = []
  // Every fault comes once before any comes twice.
  const known = FAULTS.filter((fault) => seconds >= LONG_SECONDS || !ONLY_IN_LONG_STORMS.includes(fault))
  let deck: FaultName[] = []
  for (let atMs = FIRST_FAULT_MS; atMs < seconds * 1_000 - 1_000; atMs += FAULT_EVERY_MS / 2 + below(FAULT_EVERY_MS)) {
    if (deck.length === 0) deck = shuffle(known)
    faults.push({ atMs, fault: deck.pop() ?? 'kill-app', app: app(), lastsMs: 800 + below(3_500) })
  }

  const fates = Array.from({ length: MOST_FATES }, (): EventFate => ({
    delayMs: below(4) === 0 ? below(4_000) : below(150),
    app: app(),
    isTwinned: below(4) === 0,
    isAnswerLost: below(12) === 0,
    comesAgainMs: below(5) === 0 ? below(6_000) : null,
  }))
  return { seed, seconds, steps, faults, fates }
}
