import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { followSeller } from '@/lib/followers/follow-seller'
import { countOptIn } from '@/lib/notifications/count-opt-in'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { makeDrop, makeSeller, visitorFrom } from '@/tests/support/factories'

afterAll(closeDatabase)

const email = () => `v${newSecret()}@example.com`.toLowerCase()
/** A visitor in one of the 65,536 networks of a customer. */
const customer = (network: number) => visitorFrom(`2001:db8:7:${network.toString(16)}::1`)
const stranger = visitorFrom('2001:db8:8::1')

it('one customer with many IPv6 networks cannot use up the limits of a waitlist and of a follow form', async () => {
  const seller = await makeSeller()
  const drop = await makeDrop({ userId: seller.id, quantity: 1, sold: 1 })
  const join = (ctx: typeof stranger) => joinWaitlist(ctx, { identifier: drop.uniqueId, email: email() })
  const follow = (ctx: typeof stranger) => followSeller(ctx, seller.username ?? '', { from: 'profile', email: email() })
  for (const list of [
    { name: 'waitlist-drop', id: drop.id },
    { name: 'follow-seller', id: seller.id },
  ] as const) {
    await Promise.all(Array.from({ length: 249 }, (_, at) => countOptIn(customer(at), list)))
  }
  for (const ask of [join, follow]) {
    await ask(customer(300))
    const refused = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) as number }
    await expect(ask(customer(301))).rejects.toMatchObject(refused)
    await ask(stranger)
  }
  // Refused requests do not count for the whole list.
  const list = { name: 'waitlist-drop', id: drop.id } as const
  await Promise.allSettled(Array.from({ length: 800 }, (_, at) => countOptIn(customer(400 + at), list)))
  await join(stranger)
  expect(await db().waitlistEntry.count({ where: { dropId: drop.id } })).toBe(3)
  expect(await db().follower.count({ where: { sellerId: seller.id } })).toBe(2)
})
