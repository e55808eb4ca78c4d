import pino from 'pino'
import { keepFresh } from './keep-fresh'

const log = pino({ level: 'silent' })

/** Makes a figure that takes a known time to count. Each count returns one more than the last. */
function makeFigure(name: string) {
  let nowMs = 0
  let counted = 0
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs)
  return {
    wait: (ms: number) => void (nowMs += ms),
    read: (tookMs: number) =>
      keepFresh(log, name, () => {
        nowMs += tookMs
        counted += 1
        return Promise.resolve(counted)
      }),
  }
}

afterEach(() => jest.restoreAllMocks())

it('counts for every request until three counts in a row were slow', async () => {
  const { read } = makeFigure('cheap')
  const seen = []
  for (const tookMs of [200, 200, 5, 200, 200, 5, 200]) seen.push(await read(tookMs))
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7])
})

it('returns the last count once counting is repeatedly slow, and counts again in the background', async () => {
  const { read, wait } = makeFigure('expensive')
  for (const expected of [1, 2, 3, 3, 3]) expect(await read(100)).toBe(expected)
  wait(10_001)
  expect(await read(100)).toBe(3)
  await new Promise(setImmediate)
  expect(await read(100)).toBe(4)
})
