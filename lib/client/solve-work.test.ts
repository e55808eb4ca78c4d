import { createHash } from 'node:crypto'
import { ApiError } from './call-api'
import { solveWork } from './solve-work'
import { withWork } from './with-work'

const tokenFor = (number: number, work: number) => {
  const challenge = createHash('sha256').update(`salt.${number}`).digest('hex')
  return `${Buffer.from(JSON.stringify({ id: 'salt', work, challenge })).toString('base64url')}.signature`
}
const refusal = (work: string) => new ApiError(429, JSON.stringify({ error: 'Wait.', code: 'WORK_NEEDED', work }), '')

test.each([0, 1, 777])('finds the number %i', async (number) => {
  const token = tokenFor(number, 1_000)
  expect(await solveWork(token)).toBe(`${token}.${number}`)
})

test('gives up on a challenge without an answer', async () => {
  await expect(solveWork(tokenFor(11, 10))).rejects.toThrow()
})

test('makes the call again with the answer', async () => {
  const token = tokenFor(5, 10)
  const sent: (string | undefined)[] = []
  const call = (work?: string) => {
    sent.push(work)
    return work ? Promise.resolve('paid') : Promise.reject(refusal(token))
  }
  expect(await withWork(call)).toBe('paid')
  expect(sent).toEqual([undefined, `${token}.5`])
})

test('passes other refusals on at once, and gives up after four requests for work', async () => {
  const sold = new ApiError(409, '{"code":"SOLD_OUT"}', '')
  await expect(withWork(() => Promise.reject(sold))).rejects.toBe(sold)
  let calls = 0
  const asked = withWork(() => Promise.reject(refusal(tokenFor((calls += 1), 10))))
  await expect(asked).rejects.toMatchObject({ code: 'WORK_NEEDED' })
  expect(calls).toBe(4)
})
