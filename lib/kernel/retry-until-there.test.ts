import { retryUntilThere } from './retry-until-there.mjs'

const cut = () => new Error('Connection terminated unexpectedly')

it('tries again while a database restarts, and reports the first error once', async () => {
  const stopped = new Error('terminating connection due to administrator command')
  const failures = [
    cut(),
    // The driver reports this for a statement after the connection was lost between two statements.
    new Error('Client has encountered a connection error and is not queryable'),
    new Error('server_login_retry'),
    Object.assign(stopped, { code: '57P01' }),
    Object.assign(new Error('the database system is starting up'), { code: '57P03' }),
  ]
  const reported: unknown[] = []
  const work = async () => {
    const failure = failures.shift()
    if (failure) throw failure
    return 'there'
  }
  const first = failures[0]
  expect(await retryUntilThere(work, { onWaiting: (error) => reported.push(error) })).toBe('there')
  expect(reported).toEqual([first])
})

it('does not try again after an error that waiting does not solve, or when the time is over', async () => {
  let calls = 0
  const fail = (error: Error) => async () => {
    calls += 1
    throw error
  }
  await expect(retryUntilThere(fail(Object.assign(new Error('no'), { code: '28P01' })))).rejects.toThrow('no')
  await expect(retryUntilThere(fail(cut()), { waitMs: -1 })).rejects.toThrow('terminated')
  expect(calls).toBe(2)
})
