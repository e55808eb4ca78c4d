import { demandText, suggestionText } from './demand-messages'

const M_AND_S = [
  { value: 'M', waiting: 60 },
  { value: 'S', waiting: 1 },
]

it('says how many people are waiting, and for which choice', () => {
  expect(demandText({ unit: 61, nextRun: 23 }, false)).toBe('84 waiting: 61 for a unit, 23 for the next run.')
  expect(demandText({ unit: 61, nextRun: 23, values: M_AND_S }, false)).toBe(
    '84 waiting: 61 for a unit, 23 for the next run. 60 want M, 1 wants S.',
  )
  expect(demandText({ unit: 0, nextRun: 0 }, false)).toBe('')
})

it.each([
  [{ unit: 0, nextRun: 0 }, ''],
  [{ unit: 61, nextRun: 23 }, 'We suggest 80 units.'],
  [{ unit: 61, nextRun: 0, values: M_AND_S }, 'We suggest M 60, S 1.'],
  [{ unit: 61, nextRun: 23, values: M_AND_S }, 'We suggest M 60, S 1 and 20 of any choice.'],
])('suggests units for %j', (demand, text) => expect(suggestionText(demand)).toBe(text))
