import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { releaseHold } from '@/lib/checkout/hold/release-hold'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { yieldHolds } from '@/lib/checkout/hold/yield-holds'
import { visitorFrom } from '@/tests/support/factories'
import { makeEarlyDrop } from '@/tests/support/make-early-drop'
import { ageHolds, pay, startBuying } from '@/tests/support/shop'
import { heldOf } from './hold-support'

afterAll(closeDatabase)

const job = () => systemContext('test')

it('one follower who does not pay does not keep all early units from the other followers', async () => {
  const { drop, tokens } = await makeEarlyDrop({ followers: 2, quantity: 20, earlyUnits: 10 })
  const [attacker, honest] = tokens
  const outcomes: string[] = []
  for (let round = 0; round < 3; round += 1) {
    const all = { dropId: drop.id, quantity: 10, early: attacker, buyerToken: newSecret() }
    await startBuying(visitorFrom('203.0.113.111'), all)
    // A contested hold gives its units back within a minute, and any other one after ten minutes.
    await ageHolds(drop.id, 11 * 60)
    await yieldHolds(job())
    const one = { dropId: drop.id, quantity: 1, early: honest, buyerToken: newSecret() }
    const buying = startBuying(visitorFrom('203.0.113.112'), one)
    outcomes.push(await buying.then(() => 'ok').catch((error: { code: string }) => error.code))
    // The checkout ends unpaid, and the link is free again.
    for (const { id } of await heldOf(drop.id)) await releaseHold(job(), id, 'expired')
  }
  expect(outcomes).toEqual(['ok', 'ok', 'ok'])
})

it('a follower who pays after the units went back gets early units while some are left, and one link pays once', async () => {
  const { drop, tokens } = await makeEarlyDrop({ followers: 1, quantity: 20, earlyUnits: 10 })
  const start = async () => {
    const units = { dropId: drop.id, quantity: 4, early: tokens[0], buyerToken: newSecret() }
    const { url } = (await startBuying(visitorFrom('203.0.113.113'), units)) as { url: string }
    const { id } = (await heldOf(drop.id))[0]!
    await releaseHold(job(), id, 'yielded')
    return { url, sessionId: new URL(url).pathname.split('/').at(-1) ?? '' }
  }
  const [first, second] = [await start(), await start()]
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({ held: 0, earlyTaken: 0 })
  await pay(first.url)
  await pay(second.url)
  expect(await settleCheckout(job(), first.sessionId)).toBe('paid')
  expect(await settleCheckout(job(), second.sessionId)).toBe('refunded')
  expect(await db().drop.findUniqueOrThrow({ where: { id: drop.id } })).toMatchObject({
    sold: 4,
    held: 0,
    earlyTaken: 4,
  })
})
