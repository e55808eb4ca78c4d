// Tests several taps on wallets by one buyer, one after the other in one tab, or in two tabs.
import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { closeDatabase, db } from '@/lib/infra/db'
import { stripe } from '@/lib/infra/stripe'
import { type Context, systemContext } from '@/lib/infra/context'
import { newId, newSecret } from '@/lib/kernel/id'
import { cancelWalletPayment } from '@/lib/checkout/wallet/cancel-wallet-payment'
import { checkWalletPayment } from '@/lib/checkout/wallet/check-wallet-payment'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { checkoutTexts } from '@/lib/checkout/messages'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { startWalletPayment } from '@/lib/checkout/wallet/start-wallet-payment'
import { makeDrop, visitor } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { openCheckout, payEmbedded } from '@/tests/support/shop'

examineMoneyAfterEach()
afterAll(closeDatabase)

const HOME = {
  email: 'dana@example.com',
  name: 'Dana Demo',
  line1: '1 Demo Street',
  line2: '',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94103',
  country: 'US',
  phone: '+1 555 555 0123',
}
const intentOf = (secret: string) => secret.split('_secret_')[0] ?? ''
const stock = async (id: number) => {
  const { sold, held } = await db().drop.findUniqueOrThrow({ where: { id } })
  return { sold, held }
}

/** A buyer's browser at a drop, which can tap any number of times. */
function buyerOf(dropId: number, ctx: Context = visitor()) {
  const buyerToken = newSecret()
  const tap = async (given: { quantity?: number } = {}) => {
    const tapId = newId('tap')
    const wanted = { dropId, buyerToken, tapId, ...given }
    const started = await startWalletPayment(ctx, wanted, new AbortController().signal)
    const { clientSecret, amountCents } = started
    const paymentIntentId = intentOf(clientSecret)
    const check = (details: object = {}) =>
      checkWalletPayment(ctx, { paymentIntentId, amountCents, buyerToken, details: { ...HOME, ...details } })
    const cancel = (body: object = { paymentIntentId }) =>
      cancelWalletPayment(ctx, { dropId, buyerToken, tapId, ...body })
    return { ...started, tapId, paymentIntentId, check, cancel }
  }
  return { buyerToken, tap }
}

describe('a call that cancels a tap and arrives after the next tap', () => {
  it('leaves the payment that the next tap uses again', async () => {
    const drop = await makeDrop()
    const { tap } = buyerOf(drop.id)
    const first = await tap()
    const second = await tap()
    expect(second.paymentIntentId).toBe(first.paymentIntentId)
    expect(await first.cancel()).toBe(false)
    expect(await first.cancel({ ageMs: 60_000 })).toBe(false)
    await second.check()
    expect(await second.cancel()).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })

  it('leaves the new payment of the next tap, although its hold is younger than the first tap', async () => {
    const drop = await makeDrop()
    const { tap } = buyerOf(drop.id)
    const first = await tap()
    const second = await tap({ quantity: 2 })
    expect(await first.cancel({ ageMs: 60_000 })).toBe(false)
    await second.check()
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 2 })
    // The next tap itself is canceled without the id of its payment, when its response was lost.
    expect(await second.cancel({ ageMs: 0 })).toBe(true)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 0 })
  })
})

describe('two tabs of one buyer', () => {
  it('the tab whose payment the other tab replaced pays nothing and says what to do', async () => {
    const drop = await makeDrop({ quantity: 5 })
    const { tap } = buyerOf(drop.id)
    const tabA = await tap()
    const tabB = await tap({ quantity: 2 })
    await expect(tabA.check()).rejects.toMatchObject({ code: 'HOLD_OVER', message: checkoutTexts.holdReplaced })
    // A browser that pays without the check is refused by Stripe.
    expect((await payEmbedded(tabA.clientSecret)).status).toBe(400)
    expect(await tabA.cancel()).toBe(false)
    await tabB.check()
    expect((await payEmbedded(tabB.clientSecret)).status).toBe(200)
    await settleCheckout(systemContext('test'), tabB.paymentIntentId)
    expect(await stock(drop.id)).toEqual({ sold: 2, held: 0 })
  })

  it('the tab whose payment the other tab canceled says so, and its next tap gets a payment that can be paid', async () => {
    const drop = await makeDrop()
    const { tap } = buyerOf(drop.id)
    const tabA = await tap()
    const tabB = await tap()
    expect(await tabB.cancel()).toBe(true)
    await expect(tabA.check()).rejects.toMatchObject({ code: 'HOLD_OVER', message: checkoutTexts.holdReplaced })
    const again = await tap()
    await again.check()
    expect((await payEmbedded(again.clientSecret)).status).toBe(200)
    await settleCheckout(systemContext('test'), again.paymentIntentId)
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })

  it('a hold that ended by itself is called expired', async () => {
    const drop = await makeDrop()
    const { check } = await buyerOf(drop.id).tap()
    await db().hold.updateMany({ where: { dropId: drop.id }, data: { expiresAt: new Date(Date.now() - 1_000) } })
    await expect(check()).rejects.toMatchObject({ code: 'HOLD_OVER', message: checkoutTexts.holdOver })
  })
})

it('taps that replace each other count like closed sheets, because each leaves a payment at Stripe', async () => {
  const drop = await makeDrop({ quantity: 9 })
  const { buyerToken, tap } = buyerOf(drop.id)
  for (let replaced = 0; replaced <= 5; replaced += 1) await tap({ quantity: 1 + (replaced % 2) })
  await expect(tap()).rejects.toMatchObject({ code: 'WALLET_BUSY', status: 429 })
  await expect(openCheckout(drop.id, { buyerToken })).resolves.toBeDefined()
})

describe('a payment that was canceled at Stripe while its units are held', () => {
  it.each(['form', 'wallet'])('is replaced by a new one for the %s, and the units are held once', async (kind) => {
    const drop = await makeDrop()
    const buyer = { dropId: drop.id, buyerToken: newSecret() }
    const start = () =>
      kind === 'form'
        ? startEmbeddedCheckout(visitor(), buyer)
        : startWalletPayment(visitor(), buyer, new AbortController().signal)
    const first = intentOf((await start()).clientSecret)
    await stripe().paymentIntents.cancel(first)
    const { clientSecret } = await start()
    expect(intentOf(clientSecret)).not.toBe(first)
    expect(await stock(drop.id)).toEqual({ sold: 0, held: 1 })
    expect((await payEmbedded(clientSecret)).status).toBe(200)
    await settleCheckout(systemContext('test'), intentOf(clientSecret))
    expect(await stock(drop.id)).toEqual({ sold: 1, held: 0 })
  })
})

describe('a wallet at a drop of a seller who may sell at home only', () => {
  const limited = (): Context => ({ ...visitor(), sellerLimit: { capCents: 100_000, homeCountry: 'US' } })
  const refusal = (text: string) => ({
    ...{ code: 'WALLET_DETAILS', status: 400, field: 'country' },
    message: `You weren't charged. ${text} You can change this in your wallet, or buy with a card.`,
  })
  const german = { country: 'DE', state: '', postalCode: '10115' }

  it('refuses an address in another country, even when the price includes shipping everywhere', async () => {
    const drop = await makeDrop()
    const row = await findPublicDrop(limited(), String(drop.id))
    // The page takes the countries of the wallet's sheet from here.
    expect(toDropView(await limitToHome(limited(), row!)).shippingZones).toMatchObject([{ countries: ['US'] }])
    const { check } = await buyerOf(drop.id, limited()).tap()
    const text = 'The seller ships this drop only to the United States. Choose an address there.'
    await expect(check(german)).rejects.toMatchObject(refusal(text))
    await check()
    await (await buyerOf((await makeDrop()).id).tap()).check(german)
  })

  it('says the same when only the home country is left of the zones', async () => {
    const shippingZones = [{ cents: 600, countries: ['US', 'DE'] }]
    const drop = await makeDrop({ shippingZones })
    const { check } = await buyerOf(drop.id, limited()).tap()
    const text = 'The seller ships this drop only to the United States. Choose an address there.'
    await expect(check(german)).rejects.toMatchObject(refusal(text))
    await check()
  })
})
