import { createAnswerStore } from './create-answer-store.mjs'
import { createRenderings } from './create-renderings.mjs'
import type { CachedAnswer } from './to-cached-answer.mjs'

const PAGE = '/drop/AbC'
const CHANGED_PATH = '/drop/abc'
const RENDERING_MS = 40
const LONGEST_REST_MS = 250
const LONGEST_WAIT_MS = 1_000

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** Renders pages whose body is the number of the rendering. A rendering takes as long as `takesMs` says. */
function makeRenderings(takesMs: number | (() => number) = RENDERING_MS) {
  let begun = 0
  const renderings = createRenderings({
    answers: createAnswerStore<CachedAnswer>({ maxBytes: 1_000_000 }),
    mayKeep: () => false,
    trustedProxyHops: 0,
    fetch: (url) => {
      begun += 1
      const body = Buffer.from(`${url} ${begun}`)
      const ms = typeof takesMs === 'number' ? takesMs : takesMs()
      return new Promise((resolve) =>
        setTimeout(() => resolve({ status: 200, headers: {}, body, askedAt: performance.now() }), ms),
      )
    },
  })
  const bodyOf = async () => String((await renderings.render(PAGE)).body)
  return { renderings, bodyOf, begun: () => begun }
}

it('gives everyone who asks at the same time the same rendering', async () => {
  const { bodyOf, begun } = makeRenderings()
  const asked = [bodyOf(), bodyOf(), bodyOf()]
  await jest.advanceTimersByTimeAsync(RENDERING_MS)
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 3 }, () => `${PAGE} 1`))
  expect(begun()).toBe(1)
})

it('renders again for a request after a change, once the earlier rendering has ended and the pause after it is over', async () => {
  const { renderings, bodyOf, begun } = makeRenderings()
  const before = bodyOf()
  await jest.advanceTimersByTimeAsync(1)
  renderings.changed(CHANGED_PATH)
  const after = bodyOf()
  await jest.advanceTimersByTimeAsync(2 * RENDERING_MS - 2)
  expect(begun()).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(begun()).toBe(2)
  await jest.advanceTimersByTimeAsync(RENDERING_MS)
  expect([await before, await after]).toEqual([`${PAGE} 1`, `${PAGE} 2`])
})

it('lets one rendering contain all changes that came before it began', async () => {
  const { renderings, bodyOf, begun } = makeRenderings()
  const asked = [bodyOf()]
  for (let change = 0; change < 20; change += 1) {
    await jest.advanceTimersByTimeAsync(1)
    renderings.changed(CHANGED_PATH)
    asked.push(bodyOf())
  }
  await jest.advanceTimersByTimeAsync(3 * RENDERING_MS)
  expect(new Set(await Promise.all(asked))).toEqual(new Set([`${PAGE} 1`, `${PAGE} 2`]))
  expect(begun()).toBe(2)
})

it('rests for a quarter of a second at most after a slow rendering', async () => {
  const { renderings, bodyOf, begun } = makeRenderings(4 * LONGEST_REST_MS)
  const asked = [bodyOf()]
  await jest.advanceTimersByTimeAsync(4 * LONGEST_REST_MS - 1)
  renderings.allChanged()
  asked.push(bodyOf())
  await jest.advanceTimersByTimeAsync(LONGEST_REST_MS)
  expect(begun()).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(begun()).toBe(2)
  await jest.advanceTimersByTimeAsync(4 * LONGEST_REST_MS)
  await Promise.all(asked)
})

it('does not wait longer than a second for a rendering that hangs', async () => {
  let number = 0
  const { renderings, bodyOf, begun } = makeRenderings(() => ((number += 1) === 1 ? 60_000 : RENDERING_MS))
  void bodyOf()
  await jest.advanceTimersByTimeAsync(1)
  renderings.changed(CHANGED_PATH)
  const after = bodyOf()
  await jest.advanceTimersByTimeAsync(LONGEST_WAIT_MS - 1)
  expect(begun()).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(begun()).toBe(2)
  await jest.advanceTimersByTimeAsync(RENDERING_MS)
  expect(await after).toBe(`${PAGE} 2`)
})

it('renders right away when the pause after the last rendering is over', async () => {
  const { bodyOf, begun } = makeRenderings()
  const first = bodyOf()
  await jest.advanceTimersByTimeAsync(2 * RENDERING_MS)
  await first
  const second = bodyOf()
  await jest.advanceTimersByTimeAsync(0)
  expect(begun()).toBe(2)
  await jest.advanceTimersByTimeAsync(RENDERING_MS)
  expect(await second).toBe(`${PAGE} 2`)
})
