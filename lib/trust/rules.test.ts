import { penaltyFor } from './rules'

test.each([
  [1, false, 'warning'],
  [2, false, 'suspension'],
  [3, false, 'ban'],
  [9, false, 'ban'],
  [1, true, 'ban'],
] as const)('strike %i (severe: %s) leads to this penalty: %s', (strikes, isSevere, penalty) => {
  expect(penaltyFor(strikes, isSevere)).toBe(penalty)
})
