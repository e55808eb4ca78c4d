import type { CallEntry, FaultEntry } from '@/tests/torture/create-recorder'
import { checkPages, statesBetween } from '@/tests/torture/check-pages'
import { planStorm } from '@/tests/torture/plan-storm'
import type { DropState } from '@/tests/torture/watch-database'

// The checker of the torture test (tests/torture/README.md) gets made-up histories here: it must report what is certainly
// wrong, and must not report what is only possibly wrong.

const state = (at: number, sold: number, more: Partial<DropState> = {}): DropState => ({
  ...{ dropId: 1, at, quantity: 10, sold, held: 0, run: 1, isHidden: false, isActive: true, endTime: 1e12 },
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

it('lets a state count until the state after the next one was written', () => {
  expect(statesBetween(HISTORY, 25_000, 25_100).map(({ sold }) => sold)).toEqual([0, 1])
  expect(statesBetween(HISTORY, 60_000, 60_100).map(({ sold }) => sold)).toEqual([2])
})

it('finds a page whose numbers were never true, and one whose numbers were true too long ago', () => {
  expect(checksOf([called('look', 60_000, 200, answer(2))], HISTORY)).toEqual([])
  expect(checksOf([called('look', 60_000, 200, answer(5))], HISTORY)).toEqual(['page-said-what-never-was'])
  expect(checksOf([called('look', 60_000, 200, answer(0))], HISTORY)).toEqual(['page-said-what-never-was'])
  expect(checksOf([called('look', 60_000, 200, answer(2).slice(0, -20))], HISTORY)).toEqual([])
})

it('finds a drop that is called live when it was over', () => {
  const over = [state(0, 0), state(1_000, 0, { isActive: false }), state(2_000, 1, { isActive: false })]
  expect(checksOf([called('look', 60_000, 200, answer(1))], over)).toEqual(['called-live-when-over'])
  expect(checksOf([called('look', 60_000, 200, answer(1, 'ended'))], over)).toEqual([])
})

it('finds sales while the platform is paused, but not when it was opened meanwhile', () => {
  const pause = called('pause', 40_000, 200)
  const platform = [{ at: 40_010, isActive: false }]
  const opened = [...platform, { at: 42_000, isActive: true }]
  const sale = called('open', 43_000, 200)
  expect(checksOf([pause, sale], HISTORY, platform)).toEqual(['open-while-paused'])
  expect(checksOf([pause, sale], HISTORY, opened)).toEqual([])
  expect(checksOf([pause, called('open', 43_000, 503)], HISTORY, platform)).toEqual([])
})

it('finds a sale after a deletion was acknowledged, and not after the drop was restored', () => {
  const gone = [...HISTORY, state(40_000, 2, { isHidden: true })]
  const calls = [called('remove', 40_000, 200), called('open', 45_000, 200)]
  expect(checksOf(calls, gone)).toEqual(['there-after-deletion'])
  expect(checksOf(calls, [...gone, state(44_000, 2)])).toEqual([])
})

it('finds a "sold out" that was not true', () => {
  const refusal = called('open', 60_000, 409, '{"code":"SOLD_OUT"}')
  expect(checksOf([refusal], HISTORY)).toEqual(['not-sold-out'])
  expect(checksOf([refusal], [...HISTORY, state(50_000, 10)])).toEqual([])
})

it('plans the same storm from the same seed, and another one from another', () => {
  expect(planStorm(14, 60)).toEqual(planStorm(14, 60))
  expect(planStorm(15, 60).steps).not.toEqual(planStorm(14, 60).steps)
  expect(new Set(planStorm(14, 60).faults.map(({ fault }) => fault)).size).toBeGreaterThan(10)
})
