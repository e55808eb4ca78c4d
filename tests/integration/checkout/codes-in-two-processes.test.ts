import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { closeDatabase, db } from '@/lib/infra/db'
import { checkInvariants } from '@/lib/operations/check-invariants.mjs'
import { pool } from '@/lib/infra/db'
import { makeDrop } from '@/tests/support/factories'
import { runNode } from '@/tests/support/run-node'

afterAll(closeDatabase)

const TYPESCRIPT = ['--conditions=react-server', '--import', './tests/support/register-typescript.mjs']

/**
 * With `CODE_ATTEMPTS=5000`, each process makes 5,000 attempts to buy. `CODE_SEED` changes their codes, quantities and
 * payments.
 */
const attempts = Number(process.env.CODE_ATTEMPTS ?? 400)
const seed = Number(process.env.CODE_SEED ?? 451)

type Outcome = { got: Record<string, number>; most: Record<string, number> }

it('buyers of two processes never use a code more often than its seller allowed, and every use belongs to an order', async () => {
  const drop = await makeDrop({ quantity: 100_000, priceCents: 2400 })
  const data = [
    { code: 'SEVEN', percent: 15, maxUses: 7 },
    { code: 'SIXTY', offCents: 350, maxUses: 60 },
    { code: 'ENDLESS', percent: 50, maxUses: null },
  ].map((code) => ({ ...code, dropId: drop.id }))
  await db().discountCode.createMany({ data })
  const codes = await db().discountCode.findMany({ where: { dropId: drop.id }, orderBy: { id: 'asc' } })
  const meetingPlace = await mkdtemp(path.join(tmpdir(), 'lastcall-two-'))
  const crowd = { dropId: drop.id, codeIds: codes.map(({ id }) => id), attempts, atOnce: 12, meetingPlace }
  const run = (at: number) =>
    runNode([...TYPESCRIPT, 'tests/support/redeem-codes.ts', JSON.stringify({ ...crowd, seed: seed + at })], {})
  const ended = await Promise.all([run(0), run(1)])
  expect(ended.filter(({ code }) => code !== 0)).toEqual([])
  const outcomes = ended.map(({ stdout }) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as Outcome)
  const end = await db().discountCode.findMany({ where: { dropId: drop.id }, orderBy: { id: 'asc' } })
  for (const { id, code, used, maxUses } of end) {
    const [first, second] = outcomes
    expect([code, used]).toEqual([code, (first?.got[id] ?? 0) + (second?.got[id] ?? 0)])
    for (const { most } of outcomes) expect(most[id] ?? 0).toBeLessThanOrEqual(maxUses ?? Infinity)
  }
  // The two limited codes were used up, and both processes got uses.
  expect(end.map(({ code, used }) => [code, used])).toMatchObject([
    ['SEVEN', 7],
    ['SIXTY', 60],
    ['ENDLESS', expect.any(Number)],
  ])
  for (const { got } of outcomes) expect(Object.keys(got).length).toBeGreaterThan(0)
  const broken = (await checkInvariants(pool())).filter(({ breaches }) => breaches.length > 0)
  expect(broken.filter(({ holds }) => /codes|stock|money adds up/.test(holds))).toEqual([])
}, 300_000)
