import type { DropRow } from '@/lib/drops/view'
import { latestLook, lookAt } from './latest-look'

const dropWith = (held: number) => ({ id: 1, held }) as DropRow

test('a waiting call gets what another call has read since the wait began', async () => {
  const since = performance.now() - 1
  await lookAt(1, () => Promise.resolve(dropWith(3)))
  expect(latestLook(1, since)).toMatchObject({ held: 3 })
})

test('a call that began to wait after the read has to look for itself', async () => {
  await lookAt(2, () => Promise.resolve(dropWith(3)))
  expect(latestLook(2, performance.now())).toBeNull()
})

test('a read that took long does not replace one that began later', async () => {
  const since = performance.now() - 1
  let answer: (drop: DropRow) => void = () => undefined
  const slow = lookAt(3, () => new Promise<DropRow>((resolve) => (answer = resolve)))
  await new Promise<void>((resolve) => setImmediate(resolve))
  await lookAt(3, () => Promise.resolve(dropWith(5)))
  answer(dropWith(4))
  await slow
  expect(latestLook(3, since)).toMatchObject({ held: 5 })
})

test('nothing is known of a drop that nobody has read, or that does not exist', async () => {
  await lookAt(4, () => Promise.resolve(null))
  expect(latestLook(4, 0)).toBeNull()
  expect(latestLook(5, 0)).toBeNull()
})
