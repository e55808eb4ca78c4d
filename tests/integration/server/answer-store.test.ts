import { createAnswerStore } from '@/lib/server/create-answer-store.mjs'

const fresh = (bytes: number, freshMs = 60_000) => ({ bytes, freshUntil: performance.now() + freshMs })

it('never exceeds its bytes, and removes what was unused for longest', () => {
  const store = createAnswerStore({ maxBytes: 100 })
  for (const name of ['a', 'b', 'c']) store.set(`/drop/${name}`, fresh(6))
  store.get('/drop/a')
  for (let at = 0; at < 15; at += 1) store.set(`/drop/${at}`, fresh(6))
  expect(store.bytes()).toBeLessThanOrEqual(100)
  expect(store.get('/drop/a')).toBeDefined()
  expect(store.get('/drop/b')).toBeUndefined()
  for (let at = 0; at < 20_000; at += 1) store.set(`/profile/${at}`, fresh(6))
  expect(store).toMatchObject({ bytes: expect.any(Function) as unknown })
  expect(store.bytes()).toBeLessThanOrEqual(100)
  expect(store.size()).toBe(16)
})

it('does not keep an answer that would push out many others', () => {
  const store = createAnswerStore({ maxBytes: 100 })
  store.set('/drop/a', fresh(60))
  expect(store.size()).toBe(0)
})

it('forgets every spelling, and what is not fresh any more', () => {
  const store = createAnswerStore({ maxBytes: 1_000 })
  store.set('/profile/Mira', fresh(10))
  store.set('/profile/mira', fresh(10))
  store.set('/profile/juno', fresh(10, 0))
  store.forget('/profile/mira')
  store.dropStale(0)
  expect([store.size(), store.bytes()]).toEqual([0, 0])
})
