import { createHash } from 'node:crypto'
import { ApiError } from './call-api'
import { solveProofOfWork } from './solve-proof-of-work'
import { withProofOfWork } from './with-proof-of-work'

const tokenFor = (number: number, work: number) => {
  const challenge = createHash('sha256').update(`salt.${number}`).digest('hex')
  return `${Buffer.from(JSON.stringify({ id: 'salt', work, challenge })).toString('base64url')}.signature`
}
const refusal = (work: string) => new ApiError(429, JSON.stringify({ error: 'Wait.', code: 'WORK_NEEDED', work }), '')

test.each([0, 1, 777])('finds the number %i that solves a challenge', async (number) => {
  const token = tokenFor(number, 1_000)
  expect(await solveProofOfWork(token)).toBe(`${token}.${number}`)
})

test('throws for a challenge that no allowed number solves', async () => {
  await expect(solveProofOfWork(tokenFor(11, 10))).rejects.toThrow()
})

test('repeats a refused call with the solved challenge', async () => {
  const token = tokenFor(5, 10)
  const sent: (string | undefined)[] = []
  const call = (work?: string) => {
    sent.push(work)
    return work ? Promise.resolve('paid') : Promise.reject(refusal(token))
  }
  expect(await withProofOfWork(call)).toBe('paid')
  expect(sent).toEqual([undefined, `${token}.5`])
})

test('throws other refusals right away, and gives up after four refusals that demand work', async () => {
  const sold = new ApiError(409, '{"code":"SOLD_OUT"}', '')
  await expect(withProofOfWork(() => Promise.reject(sold))).rejects.toBe(sold)
  let calls = 0
  const asked = withProofOfWork(() => Promise.reject(refusal(tokenFor((calls += 1), 10))))
  await expect(asked).rejects.toMatchObject({ code: 'WORK_NEEDED' })
  expect(calls).toBe(4)
})
