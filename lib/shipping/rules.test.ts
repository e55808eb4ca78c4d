import { answerBy, isPossibleNewDay, timeToAnswer, usualNewDay } from './rules'

const at = (text: string) => new Date(text)
const shipsBy = at('2026-11-30T00:00:00Z')

it('a buyer has a week to answer, from the question or from the end of the promised day if that comes later', () => {
  expect(answerBy(shipsBy, at('2026-11-20T08:00:00Z'))).toEqual(at('2026-12-08T12:00:00Z'))
  expect(answerBy(shipsBy, at('2026-12-05T08:00:00Z'))).toEqual(at('2026-12-12T08:00:00Z'))
})

it('the usual new day is two weeks after the missed day, or after the question if that comes later', () => {
  expect(usualNewDay(shipsBy, at('2026-11-29T08:00:00Z'))).toEqual(at('2026-12-14T00:00:00Z'))
  expect(usualNewDay(shipsBy, at('2026-12-20T08:00:00Z'))).toEqual(at('2027-01-03T00:00:00Z'))
})

it.each([
  ['2026-11-30', false],
  ['2026-12-01', true],
  ['2027-01-29', true],
  ['2027-01-30', false],
  ['2026-11-20', false],
])('the new day %s is possible: %s', (day, isPossible) => {
  expect(isPossibleNewDay(at(day), shipsBy, at('2026-11-28T08:00:00Z'))).toBe(isPossible)
})

it.each([
  ['2026-11-27T12:00:00Z', '7 days'],
  ['2026-11-22T11:59:59Z', '47 hours'],
  ['2026-11-22T12:00:00Z', '2 days'],
  ['2026-11-20T13:30:00Z', '1 hour'],
  ['2026-11-20T12:00:01Z', '1 hour'],
])('until %s, a buyer has %s to answer', (until, text) =>
  expect(timeToAnswer(new Date(until), new Date('2026-11-20T12:00:00Z'))).toBe(text),
)
