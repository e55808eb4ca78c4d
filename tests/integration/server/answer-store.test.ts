import { createAnswerStore } from '@/lib/server/create-answer-store.mjs'

const fresh = (bytes: number, freshMs = 60_000) => ({ bytes, freshUntil: performance.now() + freshMs })

it('never exceeds its limit in bytes, and removes the least recently used responses', () => {
  const store = createAnswerStore({ maxBytes: 100 })
  for (const name of ['a', 'b', 'c']) store.set(`/drop/${name}`, fresh(6))
  store.get('/drop/a')
  for (let at = 0; at < 15; at += 1) store.set(`/drop/${at}`, fresh(6))
  expect(store.bytes()).toBeLessThanOrEqual(100)
  expect(store.get('/drop/a')).toBeDefined()
  expect(store.get('/drop/b')).toBeUndefined()
  for (let at = 0; at < 20_000; at += 1) store.set(`/profile/${at}`, fresh(6))
  expect(store.bytes()).toBeLessThanOrEqual(100)
  expect(store.size()).toBe(16)
})

it('does not store a response so large that it would replace many others', () => {
  const store = createAnswerStore({ maxBytes: 100 })
  store.set('/drop/a', fresh(60))
  expect(store.size()).toBe(0)
})

it('removes the responses of a path regardless of its case, and responses that are no longer fresh', () => {
  const store = createAnswerStore({ maxBytes: 1_000 })
  store.set('/profile/Mira', fresh(10))
  store.set('/profile/mira', fresh(10))
  store.set('/profile/juno', fresh(10, 0))
  store.forget('/profile/mira')
  store.dropStale(0)
  expect([store.size(), store.bytes()]).toEqual([0, 0])
})
