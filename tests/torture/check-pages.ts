import type { Violation } from './violation'
import type { CallEntry, Entry, FaultEntry } from './create-recorder'
import type { DropState, PlatformState } from './watch-database'

/** Shared answers may be kept for a second (docs/contract.md#calls); on a busy machine it takes longer until one is read. */
const KEPT_MS = 2_500
/** The kill switch reaches every process within a second (docs/product.md#kill-switch). */
const SWITCH_MS = 1_200
/** No statement takes longer than this, so a state is over at the latest this long after the next one was written. */
const STATEMENT_MS = 17_000
/** While the database is frozen or away, and for this long afterwards, an answer may be older by the same time. */
const AFTER_FAULT_MS = 12_000

const OF_DATABASE = ['crash-postgres', 'restart-postgres', 'freeze-postgres', 'cut-database', 'freeze-app']

/** What the polled call says about a drop. */
type Said = {
  quantity: number
  sold: number
  available: number
  inCheckout: number
  run: number
  state: string
  endTime: string
}

/** The states of one drop that could have been read between two moments. */
export function statesBetween(states: readonly DropState[], from: number, until: number): DropState[] {
  return states.filter((state, index) => {
    const [next, afterNext] = [states[index + 1], states[index + 2]]
    // The next state was committed before the one after it was written, and at most a long statement after its own time.
    const goneAt = next ? Math.min(afterNext?.at ?? Infinity, next.at + STATEMENT_MS) : Infinity
    return state.at <= until && goneAt >= from
  })
}

const wasDisturbed = (faults: readonly FaultEntry[], at: number, until: number): boolean =>
  faults.some((fault) => OF_DATABASE.includes(fault.fault) && fault.at <= until && fault.until + AFTER_FAULT_MS >= at)

const answered = (call: CallEntry) => ('status' in call.outcome ? call.outcome : null)

function read(body: string): Said | null {
  try {
    return JSON.parse(body) as Said
  } catch {
    // A long answer is cut off in the history; the fields that are compared come first.
    const number = (name: string) => Number(new RegExp(`"${name}":(-?\\d+)`).exec(body)?.[1] ?? NaN)
    const text = (name: string) => new RegExp(`"${name}":"([^"]*)"`).exec(body)?.[1] ?? ''
    const said = {
      quantity: number('quantity'),
      sold: number('sold'),
      available: number('available'),
      inCheckout: number('inCheckout'),
      run: number('run'),
    }
    return Number.isNaN(said.run) ? null : { ...said, state: text('state'), endTime: text('endTime') }
  }
}

/** Compares the stock and the state that one answer named with what the database had at some moment of the call. */
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

/** The times in which something certainly held: from its acknowledgement until the first sign that it ended. */
type Span = { from: number; until: number }

/** When the platform was certainly paused, as the kill switch's own answers say. */
function pausedSpans(calls: readonly CallEntry[], states: readonly PlatformState[]): Span[] {
  return calls
    .filter((call) => call.verb === 'pause' && answered(call)?.status === 200)
    .map((call) => {
      const opened = states.find(({ at, isActive }) => isActive && at >= call.at)
      return { from: call.until + SWITCH_MS, until: opened?.at ?? Infinity }
    })
}

/** When a drop was certainly gone, as the deletion's own answer says. */
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

/** What sells or shows a drop. None of it may go on while the platform is paused, or after the drop is gone. */
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
    // The database decides about a sale, so no cached answer excuses one. Any answer but 503 means that selling went on.
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

/** A refusal that says "sold out" was true at some moment of the call. */
function checkSoldOut(call: CallEntry, states: readonly DropState[]): Violation | null {
  const outcome = answered(call)
  if (outcome?.status !== 409 || !outcome.body.includes('"SOLD_OUT"')) return null
  const possible = statesBetween(states, call.at, call.until)
  return possible.some(({ sold, quantity }) => sold >= quantity)
    ? null
    : { check: 'not-sold-out', evidence: { call, possible } }
}

/** Compares every answer about a drop with the states that the database had. */
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
