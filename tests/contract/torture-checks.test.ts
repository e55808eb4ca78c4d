import type { CallEntry, FaultEntry } from '@/tests/torture/create-recorder'
import { mostUses } from '@/tests/torture/check-offers'
import { checkPages, statesBetween } from '@/tests/torture/check-pages'
import { DROP_KINDS, FIRST_FEATURED } from '@/tests/torture/drop-kinds'
import { planStorm, slowDown } from '@/tests/torture/plan-storm'
import type { DropState, HoldChange } from '@/tests/torture/watch-database'

// This test passes made-up histories to the checker of the torture test (tests/torture/README.md). The checker must
// report the responses in them that are certainly wrong, and must not report those that may be correct.

const state = (at: number, sold: number, more: Partial<DropState> = {}): DropState => ({
  ...{ dropId: 1, at, quantity: 10, sold, held: 0, run: 1, isHidden: false, isActive: true, endTime: 1e12 },
  ...{ startedAt: 0, earlyUnits: null, priceCents: 500 },
  ...more,
})

const answer = (sold: number, state = 'live') =>
  JSON.stringify({
    quantity: 10,
    sold,
    available: 10 - sold,
    inCheckout: 0,
    run: 1,
    state,
    endTime: '2030-01-01T00:00:00Z',
  })

const called = (verb: string, at: number, status: number, body = ''): CallEntry => ({
  ...{ kind: 'call', actor: 'visitor', verb, app: 0, about: { drop: 1 }, at, until: at + 50 },
  outcome: { status, body },
})

const checksOf = (
  calls: (CallEntry | FaultEntry)[],
  states: DropState[],
  platform: { at: number; isActive: boolean }[] = [],
) => checkPages(calls, states, platform).map(({ check }) => check)

const HISTORY = [state(0, 0), state(20_000, 1), state(30_000, 2)]

it('a state counts as possible until the state after the next one was written', () => {
  expect(statesBetween(HISTORY, 25_000, 25_100).map(({ sold }) => sold)).toEqual([0, 1])
  expect(statesBetween(HISTORY, 60_000, 60_100).map(({ sold }) => sold)).toEqual([2])
})

it('a page with numbers that were never true, or were true too long ago, is reported', () => {
  expect(checksOf([called('look', 60_000, 200, answer(2))], HISTORY)).toEqual([])
  expect(checksOf([called('look', 60_000, 200, answer(5))], HISTORY)).toEqual(['page-said-what-never-was'])
  expect(checksOf([called('look', 60_000, 200, answer(0))], HISTORY)).toEqual(['page-said-what-never-was'])
  expect(checksOf([called('look', 60_000, 200, answer(2).slice(0, -20))], HISTORY)).toEqual([])
})

it('a drop that a page calls live after its end is reported', () => {
  const over = [state(0, 0), state(1_000, 0, { isActive: false }), state(2_000, 1, { isActive: false })]
  expect(checksOf([called('look', 60_000, 200, answer(1))], over)).toEqual(['called-live-when-over'])
  expect(checksOf([called('look', 60_000, 200, answer(1, 'ended'))], over)).toEqual([])
})

it('a sale while the platform is paused is reported, unless the platform was opened again before it', () => {
  const pause = called('pause', 40_000, 200)
  const platform = [{ at: 40_010, isActive: false }]
  const opened = [...platform, { at: 42_000, isActive: true }]
  const sale = called('open', 43_000, 200)
  expect(checksOf([pause, sale], HISTORY, platform)).toEqual(['open-while-paused'])
  expect(checksOf([pause, sale], HISTORY, opened)).toEqual([])
  expect(checksOf([pause, called('open', 43_000, 503)], HISTORY, platform)).toEqual([])
})

it('a sale after an acknowledged deletion is reported, unless the drop was restored before it', () => {
  const gone = [...HISTORY, state(40_000, 2, { isHidden: true })]
  const calls = [called('remove', 40_000, 200), called('open', 45_000, 200)]
  expect(checksOf(calls, gone)).toEqual(['there-after-deletion'])
  expect(checksOf(calls, [...gone, state(44_000, 2)])).toEqual([])
})

it('a "sold out" response while units were left is reported', () => {
  const refusal = called('open', 60_000, 409, '{"code":"SOLD_OUT"}')
  expect(checksOf([refusal], HISTORY)).toEqual(['not-sold-out'])
  expect(checksOf([refusal], [...HISTORY, state(50_000, 10)])).toEqual([])
})

it('the same seed gives the same storm, and another seed gives another storm', () => {
  expect(planStorm(14, 60)).toEqual(planStorm(14, 60))
  expect(planStorm(15, 60).steps).not.toEqual(planStorm(14, 60).steps)
  expect(new Set(planStorm(14, 60).faults.map(({ fault }) => fault)).size).toBeGreaterThan(10)
})

const change = (holdId: string, state: HoldChange['state'], reason: string | null = null): HoldChange => ({
  ...{ holdId, at: 0, dropId: 1, state, reason, codeId: 7, earlyLinkId: null },
})

it('the uses of a code are its open and sold holds at one moment, even if their units were refunded later', () => {
  const uses = (changes: HoldChange[]) => mostUses(changes, ({ codeId }) => codeId).get(7)
  const inTurn = [change('a', 'held'), change('a', 'released', 'expired'), change('b', 'held'), change('b', 'sold')]
  expect(uses(inTurn)).toBe(1)
  expect(uses([...inTurn, change('b', 'released', 'refunded'), change('c', 'held')])).toBe(2)
})

it('a storm has actions about each drop with a further feature, and a slow storm has the same actions later', () => {
  const plan = planStorm(14, 60)
  const own = plan.steps.filter(({ verb }) => verb === 'openFeatured').map(({ drop }) => drop)
  expect([...new Set(own)].sort((one, other) => one - other)).toEqual(
    DROP_KINDS.map((_, at) => at).slice(FIRST_FEATURED),
  )
  expect(slowDown(plan, 3).steps.map(({ atMs }) => atMs)).toEqual(plan.steps.map(({ atMs }) => atMs * 3))
})
