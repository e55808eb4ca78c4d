import { newId, newSecret, newUniqueId, referenceOf } from './id'

test('ids have the expected format and do not repeat', () => {
  expect(newId('ord')).toMatch(/^ord_[A-Za-z0-9]{22}$/)
  expect(referenceOf(newId('ord'))).toMatch(/^[2-9A-HJKMNP-Z]{8}$/)
  expect(newSecret()).toMatch(/^[A-Za-z0-9]{43}$/)
  expect(newUniqueId()).toMatch(/^d[2-9a-z]{9}$/)
  expect(new Set(Array.from({ length: 5_000 }, newUniqueId)).size).toBe(5_000)
})
