import { closeDatabase, db } from '@/lib/infra/db'
import { systemContext } from '@/lib/infra/context'
import { newSecret } from '@/lib/kernel/id'
import { settleCheckout } from '@/lib/checkout/settlement/settle-checkout'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { makeDrop, visitor } from '@/tests/support/factories'
import { payEmbedded } from '@/tests/support/shop'

afterAll(closeDatabase)

/** Pays for a parcel as a manipulated page does, which confirms the payment with an address of its own. */
async function buyWith(address: Record<string, string | undefined>) {
  const drop = await makeDrop()
  const { clientSecret } = await startEmbeddedCheckout(visitor(), { dropId: drop.id, buyerToken: newSecret() })
  const response = await payEmbedded(clientSecret, address as Record<string, string>)
  expect(response.status).toBe(200)
  const outcome = await settleCheckout(systemContext('test'), clientSecret.split('_secret_')[0] ?? '')
  const order = await db().order.findFirstOrThrow({ where: { dropId: drop.id } })
  const [mail] = await db().outboxMail.findMany({ where: { subject: `Refunded: ${order.dropTitle}` } })
  expect(mail?.text).toContain('had no address that we ship to')
  return { outcome, status: order.status, shipCountry: order.shipCountry, line1: order.shipLine1 }
}

it('a payment for a parcel to a country that nobody ships to is refunded, also without zones', async () => {
  const bought = await buyWith({ country: 'RU', city: 'Norilsk', postalCode: '663300', line1: 'Ulitsa 1' })
  expect(bought).toMatchObject({ outcome: 'mismatch' })
})

it('a payment for a parcel without an address is refunded', async () => {
  const bought = await buyWith({ line1: undefined, city: undefined, postalCode: undefined, country: undefined })
  expect(bought).toMatchObject({ outcome: 'mismatch' })
})
