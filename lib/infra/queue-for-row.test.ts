import { queueForRow, rowQueueLengths } from './queue-for-row'

/** A statement that runs until it is ended. */
function statement() {
  const started = { is: false }
  const calls = { end: () => {}, fail: () => {} }
  const run = new Promise<string>((resolve, reject) => {
    calls.end = () => resolve('done')
    calls.fail = () => reject(new Error('refused'))
  })
  const work = () => {
    started.is = true
    return run
  }
  return { started, work, end: () => calls.end(), fail: () => calls.fail() }
}

/** Lets everything run that is ready. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('runs four statements on a row at the same time, the others in the order of arrival, and other rows independently', async () => {
  const all = Array.from({ length: 6 }, statement)
  const runs = all.map(({ work }) => queueForRow('drop-1', work))
  const other = statement()
  const otherRun = queueForRow('drop-2', other.work)
  const running = () => all.map(({ started }) => started.is)
  expect(running()).toEqual([true, true, true, true, false, false])
  expect(other.started.is).toBe(true)
  expect(rowQueueLengths()).toEqual({ name: 'rows', running: 5, waiting: 2 })
  all[1]?.end()
  await settle()
  expect(running()).toEqual([true, true, true, true, true, false])
  for (const one of [...all, other]) one.end()
  await settle()
  for (const one of all) one.end()
  expect(await Promise.all([...runs, otherRun])).toEqual(Array(7).fill('done'))
  expect(rowQueueLengths()).toEqual({ name: 'rows', running: 0, waiting: 0 })
})

it('goes on after a statement that failed, and reports the failure only to its caller', async () => {
  const first = statement()
  const others = Array.from({ length: 4 }, statement)
  const failing = queueForRow('drop-3', first.work)
  const runs = others.map(({ work }) => queueForRow('drop-3', work))
  expect(others[3]?.started.is).toBe(false)
  const refused = expect(failing).rejects.toThrow('refused')
  first.fail()
  await refused
  expect(others[3]?.started.is).toBe(true)
  for (const one of others) one.end()
  expect(await Promise.all(runs)).toEqual(Array(4).fill('done'))
})

it('runs a statement that has waited for a second although the statements ahead of it hang', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] })
  try {
    const hanging = Array.from({ length: 4 }, statement)
    const runs = hanging.map(({ work }) => queueForRow('drop-4', work))
    const late = statement()
    const lateRun = queueForRow('drop-4', late.work)
    jest.advanceTimersByTime(999)
    await settle()
    expect(late.started.is).toBe(false)
    jest.advanceTimersByTime(1)
    await settle()
    expect(late.started.is).toBe(true)
    late.end()
    expect(await lateRun).toBe('done')
    for (const one of hanging) one.end()
    await Promise.all(runs)
    expect(rowQueueLengths()).toMatchObject({ running: 0, waiting: 0 })
  } finally {
    jest.useRealTimers()
  }
})
