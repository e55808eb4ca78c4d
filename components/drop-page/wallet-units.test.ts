import { type WalletOffer, WalletUnits } from './wallet-units'

type Call = { path: string; body: Record<string, unknown>; signal: AbortSignal; answer: (json: object) => void }

const OFFER: WalletOffer = {
  ...{ dropId: 7, quantity: 1, shippingCents: 0, label: 'Mug', amountCents: 2400, isPhysical: false },
}
const START = '/api/checkout/wallet'
const CANCEL = '/api/checkout/wallet/cancel'
const realFetch = globalThis.fetch
let calls: Call[] = []
let leave = (): void => undefined

/** Lets all callbacks run that wait neither for the network nor for a timer. */
const idle = () => new Promise((resolve) => setImmediate(resolve))
const sent = (path: string) => calls.filter((call) => call.path === path)

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] })
  calls = []
  Object.assign(globalThis, {
    window: {
      addEventListener: (_name: string, listener: () => void) => (leave = listener),
      removeEventListener: () => undefined,
    },
    fetch: (path: string, init: RequestInit) =>
      new Promise((resolve, reject) => {
        const signal = init.signal!
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        const answer = (json: object) => resolve(Response.json(json))
        calls.push({ path, body: JSON.parse(String(init.body)) as Call['body'], signal, answer })
      }),
  })
})
afterEach(() => {
  jest.useRealTimers()
  globalThis.fetch = realFetch
  Reflect.deleteProperty(globalThis, 'window')
})

/** Taps, and closes the sheet before the server has responded. */
async function closeEarly() {
  const units = new WalletUnits()
  units.connect(() => undefined)
  const tap = units.take(OFFER)
  await idle()
  units.release(tap)
  await idle()
  expect(sent(CANCEL)).toEqual([])
  return { units, tap }
}

it('releases the units of a sheet that was closed before the response, when the page is left as well', async () => {
  const { tap } = await closeEarly()
  leave()
  expect(sent(START)[0]?.signal.aborted).toBe(true)
  expect(sent(CANCEL)).toMatchObject([{ body: { dropId: 7, tapId: tap.id, ageMs: expect.any(Number) as number } }])
  await idle()
  expect(sent(CANCEL)).toHaveLength(1)
})

it('releases them after the response when the page stays, and once', async () => {
  const { tap } = await closeEarly()
  sent(START)[0]?.answer({ clientSecret: 'pi_12345678_secret_x', amountCents: 2400 })
  await idle()
  expect(sent(CANCEL)).toMatchObject([{ body: { tapId: tap.id, paymentIntentId: 'pi_12345678' } }])
  leave()
  expect(sent(CANCEL)).toHaveLength(1)
})

it('names each tap in the call that holds its units', async () => {
  const units = new WalletUnits()
  const [one, two] = [units.take(OFFER), units.take({ ...OFFER, quantity: 2 })]
  await idle()
  expect(sent(START)).toMatchObject([{ body: { tapId: one.id } }, { body: { tapId: two.id } }])
  expect(one.id).not.toBe(two.id)
})
