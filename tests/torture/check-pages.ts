import type { Violation } from './violation'
import type { CallEntry, Entry, FaultEntry } from './create-recorder'
import type { DropState, PlatformState } from './watch-database'

/**
 * How old a response may be. The shared cache keeps responses for a second (docs/contract.md#calls). The rest is for
 * busy machines.
 */
const KEPT_MS = 2_500
/** How long the kill switch takes to reach every process. The rule is one second (docs/product.md#kill-switch). */
const SWITCH_MS = 1_200
/**
 * A transaction ends within 15 seconds (lib/infra/db.ts), plus some time for busy machines. A state is therefore gone
 * at most this long after the next state was written.
 */
const COMMIT_MS = 17_000
/** During one of the DATABASE_FAULTS and for this long after it, a response may be this much older than usual. */
const AFTER_FAULT_MS = 12_000

/** The faults that keep a process from reading the database. */
const DATABASE_FAULTS = ['crash-postgres', 'restart-postgres', 'freeze-postgres', 'cut-database', 'freeze-app']

/** The part of the API's response about a drop that is checked. */
type Said = {
  quantity: number
  sold: number
  available: number
  inCheckout: number
  run: number
  state: string
}

/** Returns the states of one drop that a call could have read between two moments, in milliseconds. */
export function statesBetween(states: readonly DropState[], from: number, until: number): DropState[] {
  return states.filter((state, index) => {
    const [next, afterNext] = [states[index + 1], states[index + 2]]
    // The next state was committed before the state after it was written, and at most COMMIT_MS after its own time.
    const goneAt = next ? Math.min(afterNext?.at ?? Infinity, next.at + COMMIT_MS) : Infinity
    return state.at <= until && goneAt >= from
  })
}

const wasDisturbed = (faults: readonly FaultEntry[], at: number, until: number): boolean =>
  faults.some(
    (fault) => DATABASE_FAULTS.includes(fault.fault) && fault.at <= until && fault.until + AFTER_FAULT_MS >= at,
  )

const answered = (call: CallEntry) => ('status' in call.outcome ? call.outcome : null)

function read(body: string): Said | null {
  try {
    return JSON.parse(body) as Said
  } catch {
    // The history has only the beginning of a long response, so the body is not valid JSON. The stock and the run
    // come early enough in it to be read. The state may be missing, and is then not checked.
    const number = (name: string) => Number(new RegExp(`"${name}":(-?\\d+)`).exec(body)?.[1] ?? NaN)
    const text = (name: string) => new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1] ?? ''
    const said = {
      quantity: number('quantity'),
      sold: number('sold'),
      available: number('available'),
      inCheckout: number('inCheckout'),
      run: number('run'),
    }
    return Number.isNaN(said.run) ? null : { ...said, state: text('state') }
  }
}

/**
 * Compares the stock and the state in one response with the states that the database had during the call or, because
 * responses are cached, shortly before.
 */
function checkLook(call: CallEntry, states: readonly DropState[], isDisturbed: boolean): Violation | null {
  const outcome = answered(call)
  const said = outcome?.status === 200 ? read(outcome.body) : null
  if (!said) return null
  const keptMs = call.verb === 'lastLook' ? 0 : KEPT_MS + (isDisturbed ? AFTER_FAULT_MS : 0)
  const possible = statesBetween(states, call.at - keptMs, call.until)
  const isTrue = possible.some(
    ({ quantity, sold, held, run }) =>
      said.quantity === quantity && said.sold === sold && said.inCheckout === held && said.run === run,
  )
  const evidence = { call: { ...call, outcome: said }, possible: possible.slice(0, 20) }
  if (!isTrue) return { check: 'page-said-what-never-was', evidence }
  if (said.available + said.sold + said.inCheckout > said.quantity || said.available < 0)
    return { check: 'more-left-than-there-are', evidence }
  const couldLive = possible.some((state) => state.isActive && !state.isHidden && state.endTime >= call.at - keptMs)
  if (said.state === 'live' && !couldLive) return { check: 'called-live-when-over', evidence }
  return null
}

/** A time in which a condition certainly held, from its acknowledgment until the first sign of its end. */
type Span = { from: number; until: number }

/** Returns the times in which the platform was certainly paused, because a call of the kill switch was acknowledged. */
function pausedSpans(calls: readonly CallEntry[], states: readonly PlatformState[]): Span[] {
  return calls
    .filter((call) => call.verb === 'pause' && answered(call)?.status === 200)
    .map((call) => {
      const opened = states.find(({ at, isActive }) => isActive && at >= call.at)
      return { from: call.until + SWITCH_MS, until: opened?.at ?? Infinity }
    })
}

/** Returns the times in which a drop was certainly deleted, because a call that deletes was acknowledged. */
function goneSpans(calls: readonly CallEntry[], states: readonly DropState[], drop: number): Span[] {
  return calls
    .filter(({ verb, about }) => about.drop === drop && ['remove', 'deleteOwn'].includes(verb))
    .filter((call) => [200, 204].includes(answered(call)?.status ?? 0))
    .map((call) => {
      const back = states.find(({ at, isHidden }) => !isHidden && at >= call.at)
      return { from: call.until, until: back?.at ?? Infinity }
    })
}

const within = ({ at, until }: CallEntry, span: Span, slackMs = 0) => at >= span.from + slackMs && until <= span.until

/**
 * The verbs that sell or show a drop. They must not succeed while the platform is paused or after the drop is deleted.
 */
const SELLS = ['open', 'openEmbedded']
const SHOWS = ['look', 'lookAtPage', 'lastLook']

function checkClosed(
  calls: readonly CallEntry[],
  faults: readonly FaultEntry[],
  states: Map<number, DropState[]>,
  platform: readonly PlatformState[],
): Violation[] {
  const paused = pausedSpans(calls, platform)
  const gone = new Map([...states].map(([drop, own]) => [drop, goneSpans(calls, own, drop)]))
  return calls.flatMap((call): Violation[] => {
    const status = answered(call)?.status
    const isSale = SELLS.includes(call.verb)
    if (status === undefined || !(isSale || SHOWS.includes(call.verb))) return []
    const isDisturbed = wasDisturbed(faults, call.at, call.until)
    // The database decides about a sale, so the cache is no excuse. Any status but 503 means that sales continued.
    const wentOn = isSale ? status !== 503 : status <= 202
    const waitMs = isSale || !isDisturbed ? 0 : AFTER_FAULT_MS
    if (wentOn && paused.some((span) => within(call, span, waitMs)))
      return [{ check: 'open-while-paused', evidence: { call, paused } }]
    if (status > 202) return []
    const slackMs = isSale ? 0 : KEPT_MS + (isDisturbed ? AFTER_FAULT_MS : 0)
    const isGone = (gone.get(Number(call.about.drop)) ?? []).some((span) => within(call, span, slackMs))
    return isGone ? [{ check: 'there-after-deletion', evidence: { call } }] : []
  })
}

/** Checks that a response "sold out" was true at some moment of its call. */
function checkSoldOut(call: CallEntry, states: readonly DropState[]): Violation | null {
  const outcome = answered(call)
  if (outcome?.status !== 409 || !outcome.body.includes('"SOLD_OUT"')) return null
  const possible = statesBetween(states, call.at, call.until)
  return possible.some(({ sold, quantity }) => sold >= quantity)
    ? null
    : { check: 'not-sold-out', evidence: { call, possible } }
}

/**
 * Compares the responses about drops and sales with the states that the database had. Also finds states in which more
 * units were sold and held than there are.
 */
export function checkPages(
  entries: readonly Entry[],
  all: readonly DropState[],
  platform: readonly PlatformState[],
): Violation[] {
  const calls = entries.filter((entry): entry is CallEntry => entry.kind === 'call')
  const faults = entries.filter((entry): entry is FaultEntry => entry.kind === 'fault')
  const states = new Map<number, DropState[]>()
  for (const state of all) states.set(state.dropId, [...(states.get(state.dropId) ?? []), state])
  const ofEach = calls.flatMap((call): (Violation | null)[] => {
    const own = states.get(Number(call.about.drop)) ?? []
    if (call.verb === 'look' || call.verb === 'lastLook')
      return [checkLook(call, own, wasDisturbed(faults, call.at, call.until))]
    return SELLS.includes(call.verb) ? [checkSoldOut(call, own)] : []
  })
  const overSold = all.filter(({ sold, held, quantity }) => sold < 0 || held < 0 || sold + held > quantity)
  return [
    ...ofEach.filter((violation) => violation !== null),
    ...checkClosed(calls, faults, states, platform),
    ...overSold.slice(0, 3).map((state) => ({ check: 'units-sold-twice', evidence: { state } })),
  ]
}
