import { readings } from './rules'

test('readings() changes digits to letters only inside words, and keeps the spaces between words', () => {
  expect(readings('4 × 15 cm, No. 3')).toEqual([' 4 15 cm no 3 '])
  expect(readings('g0ld r1ng')).toEqual([' g0ld r1ng ', ' gold ring ', ' gold rlng '])
})
