import { readings } from './rules'

test('numbers stay numbers, and words keep their boundaries', () => {
  expect(readings('4 × 15 cm, No. 3')).toEqual([' 4 15 cm no 3 '])
  expect(readings('g0ld r1ng')).toEqual([' g0ld r1ng ', ' gold ring ', ' gold rlng '])
})
