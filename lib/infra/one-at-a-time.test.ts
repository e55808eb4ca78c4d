import { QueueFull } from './bounded-queue'
import { oneAtATime, oneAtATimeLengths } from './one-at-a-time'

const settle = () => new Promise((resolve) => setImmediate(resolve))

it('runs work with one key in the order of arrival, and work with another key at the same time', async () => {
  const log: string[] = []
  const ends: (() => void)[] = []
  const work = (name: string) => () => {
    log.push(name)
    return new Promise<string>((resolve) => ends.push(() => resolve(name)))
  }
  const runs = [oneAtATime('a', work('a1')), oneAtATime('a', work('a2')), oneAtATime('b', work('b1'))]
  expect(log).toEqual(['a1', 'b1'])
  expect(oneAtATimeLengths()).toEqual({ name: 'one-at-a-time', running: 2, waiting: 1 })
  ends[0]?.()
  await settle()
  expect(log).toEqual(['a1', 'b1', 'a2'])
  for (const end of ends) end()
  expect(await Promise.all(runs)).toEqual(['a1', 'a2', 'b1'])
  expect(oneAtATimeLengths()).toMatchObject({ running: 0, waiting: 0 })
})

it('goes on after work that failed, and refuses work when 200 calls wait', async () => {
  let fail: () => void = () => {}
  const failing = oneAtATime('full', () => new Promise((_, reject) => (fail = () => reject(new Error('refused')))))
  const waiting = Array.from({ length: 200 }, (_, at) => oneAtATime('full', () => Promise.resolve(at)))
  await expect(oneAtATime('full', () => Promise.resolve(0))).rejects.toBeInstanceOf(QueueFull)
  const refused = expect(failing).rejects.toThrow('refused')
  fail()
  await refused
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 200 }, (_, at) => at))
})
