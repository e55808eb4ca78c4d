import { penaltyFor, readings } from './rules'

test.each([
  [1, false, 'warning'],
  [2, false, 'suspension'],
  [3, false, 'ban'],
  [9, false, 'ban'],
  [1, true, 'ban'],
] as const)('strike %i, severe %s: %s', (strikes, isSevere, penalty) => {
  expect(penaltyFor(strikes, isSevere)).toBe(penalty)
})

test('numbers stay numbers, and words keep their borders', () => {
  expect(readings('4 × 15 cm, No. 3')).toEqual([' 4 15 cm no 3 '])
  expect(readings('g0ld r1ng')).toEqual([' g0ld r1ng ', ' gold ring ', ' gold rlng '])
})
