import { newId, newSecret, newUniqueId } from './id'

test('ids have their shape and do not repeat', () => {
  expect(newId('ord')).toMatch(/^ord_[A-Za-z0-9]{22}$/)
  expect(newSecret()).toMatch(/^[A-Za-z0-9]{43}$/)
  expect(newUniqueId()).toMatch(/^d[2-9a-z]{9}$/)
  expect(new Set(Array.from({ length: 5_000 }, newUniqueId)).size).toBe(5_000)
})
