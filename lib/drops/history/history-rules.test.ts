import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { changeTexts, historyParts, soldText, toFacts } from './history-messages'
import { moveText, durationText } from './history-rules'
import type { DropHistory, RunChange } from './history-view'

it.each([
  [0.4 * SECOND_MS, '1 s'],
  [40 * SECOND_MS, '40 s'],
  [MINUTE_MS, '1 min'],
  [3 * HOUR_MS, '3 h'],
  [90 * MINUTE_MS + 59 * SECOND_MS, '1 h 30 min'],
  [71 * HOUR_MS, '71 h'],
  [3 * DAY_MS, '3 days'],
  [30 * DAY_MS + 2 * HOUR_MS + MINUTE_MS, '30 days 2 h 1 min'],
])('formats %i ms as %s', (ms, text) => expect(durationText(ms)).toBe(text))

it('shows the direction in which a time moved', () => {
  expect(moveText(3 * HOUR_MS)).toBe('+3 h')
  expect(moveText(-40 * MINUTE_MS)).toBe('−40 min')
})

const run = {
  run: 1,
  quantity: 24,
  sold: 24,
  refunded: 0,
  startedAt: '2026-11-20T18:00:00.000Z',
  endTime: '2026-11-21T18:00:00.000Z',
}
const history: DropHistory = {
  isRecorded: true,
  sold: 0,
  previous: null,
  returnsAt: null,
  isReturnSure: false,
  changes: [],
}
const change = (of: Partial<RunChange>): RunChange => ({
  ...{ reason: 'units', by: 'seller', startMs: 0, endMs: 0, units: 0, at: '2026-11-20T19:00:00.000Z' },
  startMoves: of.startMs ? 1 : 0,
  endMoves: of.endMs ? 1 : 0,
  unitMoves: of.units ? 1 : 0,
  ...of,
})

it('says what a run sold, and how fast when it sold out', () => {
  expect(soldText({ ...run, soldOutAt: '2026-11-20T21:00:00.000Z' })).toBe('sold 24 of 24 in 3 h')
  expect(soldText({ ...run, sold: 1, soldOutAt: null })).toBe('sold 1 of 24')
  expect(soldText({ ...run, refunded: 2, soldOutAt: null })).toBe('sold 24 of 24, 2 refunded')
  expect(soldText({ ...run, sold: 0, endTime: run.startedAt, soldOutAt: null })).toBe('canceled before its start')
})

it('the line under the clock shows only what is recorded', () => {
  const { startedAt, endTime } = run
  const text = (drop: { run: number; history?: DropHistory }) =>
    historyParts({ ...drop, startedAt, endTime }).map((part) => part.text)
  expect(text({ run: 1 })).toEqual(['Run 1'])
  expect(text({ run: 1, history: { ...history, isRecorded: false } })).toEqual(['Run 1'])
  expect(text({ run: 1, history })).toEqual(['Run 1', 'times and units unchanged'])
  const returnsAt = '2026-11-24T18:00:00.000Z'
  const changes = [change({ reason: 'outage', by: 'platform', endMs: 3 * HOUR_MS }), change({ units: 10 })]
  const previous = { ...run, soldOutAt: '2026-11-20T21:00:00.000Z' }
  const whole = { run: 2, history: { ...history, previous, returnsAt, isReturnSure: true, changes } }
  expect(text(whole)).toEqual([
    'Run 2',
    'run 1 sold 24 of 24 in 3 h',
    'returns',
    'end moved +3 h after an outage',
    '10 units added',
  ])
  expect(historyParts({ ...whole, startedAt, endTime })[2]).toEqual({ kind: 'return', text: 'returns', at: returnsAt })
  expect(toFacts({ ...whole, startedAt, endTime }).map(({ kind, at }) => [kind, at])).toEqual([
    ['run', startedAt],
    ['previousRun', endTime],
    ['return', returnsAt],
    ['change', changes[0]?.at],
    ['change', changes[1]?.at],
  ])
  expect(text({ ...whole, history: { ...whole.history, isReturnSure: false } })[2]).toBe('may return')
})

it('says who ended a drop early, and what a review or a restoration did', () => {
  const hours = -2 * HOUR_MS
  expect(changeTexts(change({ reason: 'ended', endMs: hours }))).toEqual(['ended 2 h early by its seller'])
  expect(changeTexts(change({ reason: 'withdrawn', by: 'platform', endMs: hours }))).toEqual([
    'taken off sale 2 h early by the platform',
  ])
  expect(changeTexts(change({ reason: 'restored', by: 'platform', endMs: -hours }))).toEqual([
    'put back on sale, end moved +2 h',
  ])
  expect(changeTexts(change({ reason: 'reviewed', by: 'platform', startMs: -hours, endMs: -hours }))).toEqual([
    'start moved +2 h by a review',
    'end moved +2 h by a review',
  ])
  expect(changeTexts(change({ units: -1 }))).toEqual(['1 unit removed'])
  expect(changeTexts(change({ units: 0 }))).toEqual([])
})

it('the values of an open edition were added or removed, and have no units', () => {
  const values = [
    { value: 'S', before: 50, after: 40 },
    { value: 'M', before: 50, after: null },
    { value: 'XL', before: null, after: 40 },
  ]
  const changed = change({ reason: 'values', optionName: 'Size', values })
  const texts = (one: typeof changed) => changeTexts(one, undefined, { isOpenEdition: true })
  expect(texts(changed)).toEqual(['Size M removed, Size XL added'])
  expect(texts({ ...changed, values: [values[0]!] })).toEqual(['choices changed and changed back'])
  const back = { ...changed, values: [{ value: 'S', before: 40, after: 50 }] }
  expect(texts(back)).toEqual(['choices changed and changed back'])
})

it('says which values changed, and the line under the clock names four of them', () => {
  const values = [
    { value: 'S', before: 5, after: 10 },
    { value: 'M', before: 5, after: null },
    { value: 'XL', before: null, after: 1 },
    { value: 'L', before: 1_005, after: 5 },
  ]
  const changed = change({ reason: 'values', optionName: 'Size', values })
  const text = 'Size M removed, Size XL added with 1 unit, 1,000 L fewer, 5 S more'
  expect(changeTexts(changed)).toEqual([text])
  expect(changeTexts(change({ ...changed, values: [] }))).toEqual(['choices changed and changed back'])
  const raised = change({ ...changed, values: [values[0]!, { value: 'M', before: 5, after: 1_005 }] })
  expect(changeTexts(raised)).toEqual(['1,005 units added: 5 S, 1,000 M'])
  // Of changes from before the values were recorded, only the author is known.
  expect(changeTexts(change({ reason: 'values' }))).toEqual(['choices changed by its seller'])
  const more = { ...changed, values: [...values, { value: 'XS', before: 1, after: 2 }] }
  expect(changeTexts(more)).toEqual([`${text}, 1 XS more`])
  const { startedAt, endTime } = run
  const line = historyParts({ run: 1, startedAt, endTime, history: { ...history, changes: [more] } })
  expect(line.at(-1)?.text).toBe(`${text} and 1 more change`)
})

it('says that a time or the units moved back, and that a start was canceled', () => {
  expect(changeTexts(change({ reason: 'extended', by: 'platform', endMoves: 2 }))).toEqual([
    'end moved and moved back by the platform',
  ])
  expect(changeTexts(change({ unitMoves: 2 }))).toEqual(['units added and removed again'])
  expect(changeTexts(change({ reason: 'restored', endMoves: 1 }))).toEqual(['put back on sale'])
  const canceled = { startedAt: run.endTime, endTime: run.startedAt }
  const early = change({ reason: 'ended', endMs: -2 * HOUR_MS })
  expect(changeTexts(early, canceled)).toEqual(['start canceled by its seller'])
  expect(changeTexts(early, { ...run, archivedAt: run.startedAt })).toEqual(['start canceled by its seller'])
  expect(changeTexts(early, run)).toEqual(['ended 2 h early by its seller'])
})
