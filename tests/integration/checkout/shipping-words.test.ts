import { findShownDrop } from '@/lib/drops/history/history-queries'
import { notifyFollowers } from '@/lib/followers/notify-followers'
import { systemContext } from '@/lib/infra/context'
import { closeDatabase, db, pool } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS, MINUTE_MS } from '@/lib/kernel/time'
import { startEmbeddedCheckout } from '@/lib/checkout/start-embedded-checkout'
import { previewPrice, previewVersion, toPreviewedDrop } from '@/lib/previews/drop-metadata'
import { startCalendar } from '@/lib/previews/start-calendar'
import { notifyWaitlist } from '@/lib/waitlist/notify-waitlist'
import { offerFreedUnits } from '@/lib/waitlist/offer-freed-units'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

const job = () => systemContext('test')
const zones = [
  { cents: 0, countries: ['US'] },
  { cents: 600, countries: ['DE'] },
]

it.each([
  ['$24.00 plus shipping', zones],
  ['$24.00', [{ cents: 0, countries: ['US'] }]],
])('emails, previews and calendars say %s', async (price, shippingZones) => {
  const seller = await makeSeller()
  const startedAt = new Date(Date.now() - MINUTE_MS)
  const endTime = new Date(startedAt.getTime() + DAY_MS)
  const drop = await makeDrop({ userId: seller.id, shippingZones, startedAt, endTime })
  await db().dropRun.create({ data: { dropId: drop.id, run: 1, quantity: drop.quantity, startedAt, endTime } })
  const person = () => {
    const email = `${newSecret().toLowerCase()}@example.com`
    return { email, mailbox: email, tokenHash: email, confirmedAt: new Date() }
  }
  const [follower, waiting, early] = [person(), person(), person()]
  await db().follower.create({ data: { sellerId: seller.id, page: '/', consentText: 'Yes', ...follower } })
  await db().waitlistEntry.create({ data: { dropId: drop.id, run: 1, ...waiting } })
  await db().waitlistEntry.create({ data: { dropId: drop.id, run: 0, ...early } })
  await notifyFollowers(job())
  await notifyFollowers(job())
  await notifyWaitlist(job())
  await offerFreedUnits(job())
  for (const { email } of [follower, waiting, early]) {
    const mails = await db().outboxMail.findMany({ where: { to: email } })
    expect(mails).toHaveLength(1)
    const said = JSON.stringify(mails).match(/\$24\.00(?: plus shipping)?/g) ?? []
    expect([...new Set(said)]).toEqual([price])
  }
  const row = (await findShownDrop(visitor(), String(drop.id)))!
  const view = toPreviewedDrop(row)
  expect(previewPrice(view)).toBe(price)
  expect(startCalendar(row, 'https://example.com').replaceAll('\r\n ', '')).toContain(`, ${price}.`)
  const cents = price === '$24.00' ? 1 : 0
  const shippingZonesAfter = view.shippingZones?.map((zone) => ({ ...zone, surchargeCents: cents }))
  expect(previewVersion(view)).not.toBe(previewVersion({ ...view, shippingZones: shippingZonesAfter! }))
})

it('a buyer whose checkout was replaced is not asked for the country again if the drop has ended meanwhile', async () => {
  const drop = await makeDrop({ shippingZones: zones })
  const buyerToken = newSecret()
  await startEmbeddedCheckout(visitor(), { dropId: drop.id, country: 'DE', buyerToken })
  // The drop ends between the end of the first checkout and the statement that takes the units of the second.
  await pool().query(`
    CREATE FUNCTION end_drop_now() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN UPDATE "Drop" SET "endTime" = now() WHERE "id" = NEW."dropId"; RETURN NULL; END $$;
    CREATE TRIGGER end_drop_now AFTER UPDATE OF "state" ON "Hold"
      FOR EACH ROW WHEN (NEW."dropId" = ${drop.id} AND NEW."state" = 'released') EXECUTE FUNCTION end_drop_now()`)
  const second = startEmbeddedCheckout(visitor(), { dropId: drop.id, quantity: 2, buyerToken })
  await expect(second).rejects.toMatchObject({ code: 'DROP_ENDED' })
})
