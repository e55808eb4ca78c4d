import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { cancelCheckout } from '@/lib/checkout/cancel-checkout'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { confirmWaitlist } from '@/lib/waitlist/confirm-waitlist'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { pay, startBuying } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

let count = 0
const newAddress = () => `o${process.pid}${Date.now().toString(36)}${(count += 1)}@example.com`
const job = () => systemContext('waitlist')

/** Returns the secret in the link of the newest email to an address. */
async function secretTo(to: string, link: RegExp): Promise<string> {
  const [mail] = await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'desc' }, take: 1 })
  return link.exec(mail?.text ?? '')?.[1] ?? 'none'
}

async function wait(drop: { uniqueId: string }, option: string, email = newAddress()): Promise<string> {
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email, option })
  await confirmWaitlist(visitor(), await secretTo(email, /\/remind\/confirm\?token=(\w+)/))
  return email
}

const subjectsTo = async (to: string) =>
  (await db().outboxMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject)

/**
 * Makes a drop whose only S and only M are in checkout, with five L left. `giveBack` cancels the checkout of one size.
 */
async function makeContested() {
  const values = {
    create: ['S', 'M', 'L'].map((value, position) => ({ value, position, quantity: position < 2 ? 1 : 5 })),
  }
  const drop = await makeDrop({ quantity: 7, optionName: 'Size', values })
  const tokens: Record<string, string> = {}
  for (const size of ['S', 'M']) {
    const selectedVariants = { Size: size }
    await startBuying(visitor(), { dropId: drop.id, quantity: 1, buyerToken: newSecret(), selectedVariants })
    tokens[size] = (await db().order.findFirstOrThrow({ where: { dropId: drop.id, optionValue: size } })).token
  }
  return { drop, giveBack: (size: 'S' | 'M') => cancelCheckout(visitor(), tokens[size]!) }
}

it('each value has its own waitlist, and a released unit is offered to the first entry for its value', async () => {
  const { drop, giveBack } = await makeContested()
  const [forS, forM, alsoM] = [await wait(drop, 'S'), await wait(drop, 'm'), await wait(drop, 'M')]
  await giveBack('M')
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await subjectsTo(forM)).toContain('Reserved for you: Test mug (Size M)')
  for (const other of [forS, alsoM]) expect(await subjectsTo(other)).toHaveLength(1)
  const url = await claimUnit(visitor(), await secretTo(forM, /\/claim\/(\w+)/))
  await pay(url)
  expect(await settleCheckout(visitor(), new URL(url).pathname.split('/').at(-1) ?? '')).toBe('paid')
  const values = await db().optionValue.findMany({ where: { dropId: drop.id }, orderBy: { position: 'asc' } })
  expect(values.map(({ sold, held }) => [sold, held])).toEqual([
    [0, 1],
    [1, 0],
    [0, 0],
  ])
})

it('refuses an entry for a value that is on sale, and an entry without a value for a sold-out drop with options', async () => {
  const { drop } = await makeContested()
  const ask = (option?: string) =>
    joinWaitlist(visitor(), { identifier: drop.uniqueId, email: newAddress(), ...(option ? { option } : {}) })
  await expect(ask('L')).rejects.toMatchObject({ code: 'ON_SALE' })
  await expect(ask()).rejects.toMatchObject({ code: 'ON_SALE' })
  await expect(ask('XXL')).rejects.toMatchObject({ code: 'OPTION_UNKNOWN', status: 400, field: 'option' })
  await db().drop.update({ where: { id: drop.id }, data: { quantity: 2 } })
  await db().optionValue.updateMany({ where: { dropId: drop.id, value: 'L' }, data: { quantity: 0 } })
  await expect(ask()).rejects.toMatchObject({ code: 'OPTION_MISSING', message: 'Please choose a Size.' })
})

it('a request for another value changes nothing until it is confirmed', async () => {
  const { drop, giveBack } = await makeContested()
  const email = await wait(drop, 'S')
  // Another visitor requests an M with the same email address. This request is never confirmed.
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email, option: 'M' })
  const first = await wait(drop, 'M')
  await giveBack('M')
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await subjectsTo(first)).toContain('Reserved for you: Test mug (Size M)')
  await giveBack('S')
  expect(await offerFreedUnits(job())).toBe(1)
  expect(await subjectsTo(email)).toContain('Reserved for you: Test mug (Size S)')
})

it('a person who waits for any value and confirms after the relaunch is notified right away, and only once', async () => {
  const { drop, giveBack } = await makeContested()
  for (const size of ['S', 'M'] as const) await giveBack(size)
  const endTime = new Date(Date.now() - 1_000)
  await db().drop.update({ where: { id: drop.id }, data: { endTime } })
  const email = newAddress()
  await joinWaitlist(visitor(), { identifier: drop.uniqueId, email })
  await db().drop.update({ where: { id: drop.id }, data: { endTime: drop.endTime, run: 2 } })
  await confirmWaitlist(visitor(), await secretTo(email, /\/remind\/confirm\?token=(\w+)/))
  expect(await notifyWaitlist(job())).toBe(1)
  expect(await notifyWaitlist(job())).toBe(0)
  expect(await subjectsTo(email)).toEqual(['Confirm your reminder', 'Test mug is back'])
})

it('a person who waits for any value and confirms before the relaunch is notified at the relaunch', async () => {
  const { drop, giveBack } = await makeContested()
  for (const size of ['S', 'M'] as const) await giveBack(size)
  await db().drop.update({ where: { id: drop.id }, data: { endTime: new Date(Date.now() - 1_000) } })
  const email = await wait(drop, '')
  expect(await notifyWaitlist(job())).toBe(0)
  await db().drop.update({ where: { id: drop.id }, data: { endTime: drop.endTime, run: 2 } })
  expect(await notifyWaitlist(job())).toBe(1)
  expect(await subjectsTo(email)).toContain('Test mug is back')
})
