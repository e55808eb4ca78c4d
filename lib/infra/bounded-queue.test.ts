import { boundedQueue, QueueFull } from './bounded-queue'

const settings = { atOnce: 2, waiting: 3, retryAfterSeconds: 7 }

function work() {
  let end = () => {}
  const done = new Promise<void>((resolve) => (end = resolve))
  let hasBegun = false
  return { begin: () => ((hasBegun = true), done), end: () => end(), hasBegun: () => hasBegun }
}

it('runs two at the same time, lets three wait in order, and refuses the sixth', async () => {
  const run = boundedQueue({ name: 'order', ...settings })
  const works = Array.from({ length: 6 }, work)
  const results = works.map(({ begin }) => run(begin).catch((error: unknown) => error))
  expect(works.map(({ hasBegun }) => hasBegun())).toEqual([true, true, false, false, false, false])
  const refusal = await results[5]
  expect(refusal).toBeInstanceOf(QueueFull)
  expect(refusal).toMatchObject({ retryAfterSeconds: 7 })
  works[1]!.end()
  await results[1]
  expect(works[2]!.hasBegun()).toBe(true)
  expect(works[3]!.hasBegun()).toBe(false)
  for (const { end } of works) end()
  await Promise.all(results)
})

it('frees the place of work that fails', async () => {
  const run = boundedQueue({ name: 'failing', atOnce: 1, waiting: 0, retryAfterSeconds: 1 })
  for (let round = 0; round < 3; round += 1) {
    await expect(run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  }
  await expect(run(async () => 'yes')).resolves.toBe('yes')
})
