import { composeMail, type MailKey } from '@/lib/notifications/compose-mail'
import { archiveDrops } from '@/lib/drops/archive-drops'
import { type Context, sqlTransaction, transaction } from '@/lib/infra/context'
import { closeDatabase, db } from '@/lib/infra/db'
import { queueMail } from '@/lib/notifications/queue-mail'
import { markPaid } from '@/lib/checkout/settlement/mark-paid'
import { takeHold } from '@/lib/checkout/hold/take-hold'
import { makeDrop, makeSeller, visitor } from '../../support/factories'

afterAll(closeDatabase)

const failure = new Error('undo')

/** Runs work in a transaction and rolls it back. */
const undone = (work: (tx: Context) => Promise<void>) =>
  expect(
    transaction(visitor(), async (tx) => {
      await work(tx)
      throw failure
    }),
  ).rejects.toBe(failure)

const mail = (key: MailKey) =>
  composeMail('bea@example.com', key, { subject: 'Hello', preview: '', heading: 'Hello', paragraphs: ['“Zoë” \\ "x"'] })

it('runs hand-written statements on the connection of the transaction', async () => {
  const seller = await makeSeller()
  await undone(async (tx) => {
    await tx.db.user.update({ where: { id: seller.id }, data: { lastName: 'By Prisma' } })
    await tx.sql('rename', 'UPDATE "User" SET "firstName" = :name WHERE "id" = :id', { name: 'By hand', id: seller.id })
    const [seen] = await tx.sql<{ lastName: string; pid: number }>(
      'seen',
      'SELECT "lastName", pg_backend_pid() AS "pid" FROM "User" WHERE "id" = :id',
      { id: seller.id },
    )
    const [prisma] = await tx.db.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS "pid"`
    expect(seen).toEqual({ lastName: 'By Prisma', pid: prisma?.pid })
    expect(await tx.db.user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'By hand' })
    expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'Sam' })
  })
  const now = await db().user.findUnique({ where: { id: seller.id } })
  expect(now).toMatchObject({ firstName: 'Sam', lastName: 'Seller' })
})

it('returns the same rows inside and outside of a transaction', async () => {
  const read = ({ sql }: Context) =>
    sql(
      'all-kinds',
      `SELECT 9007199254740993::int8 AS "big", 1.5::numeric AS "exact", :at::timestamptz AS "at", :names::text[] AS "names",
              :facts::jsonb AS "facts", NULL::int AS "nothing", :isSo::boolean AS "isSo"`,
      { at: new Date(0), names: ['a', 'b'], facts: JSON.stringify({ a: [1] }), isSo: true },
    )
  const outside = await read(visitor())
  expect(outside).toEqual([
    {
      big: '9007199254740993',
      exact: '1.5',
      at: new Date(0),
      names: ['a', 'b'],
      facts: { a: [1] },
      nothing: null,
      isSo: true,
    },
  ])
  expect(await transaction(visitor(), read)).toEqual(outside)
  const twice = await transaction(visitor(), async (tx) => [...(await read(tx)), ...(await read(tx))])
  expect(twice).toEqual([...outside, ...outside])
})

it('markPaid runs in the transaction of its caller and is rolled back with it', async () => {
  const drop = await makeDrop({ quantity: 1 })
  const hold = await takeHold(visitor(), {
    dropId: drop.id,
    quantity: 1,
    buyerKey: 'b',
    mode: 'hosted',
    holdMs: 60_000,
  })
  const orderId = hold?.orderId ?? ''
  const nobody = { name: null, phone: null, shipName: null, line1: null, line2: null, city: null, state: null }
  const payment = {
    orderId,
    holdId: hold?.holdId ?? '',
    sessionId: 'cs_test_joined',
    payment: {
      intentId: 'pi_joined',
      chargeId: null,
      cardFeeCents: 100,
      settlementCurrency: 'usd',
      cardFingerprint: null,
      billingCountry: null,
      taxCents: 0,
    },
    buyer: { ...nobody, email: 'bea@example.com', postalCode: null, country: null },
    transfer: { amountCents: 2000, dueAt: new Date() },
    mails: [mail(`receipt:${orderId}`), mail(`sale:${orderId}`)],
  }
  const queued = () => db().outboxMail.count({ where: { dedupeKey: { endsWith: `:${orderId}` } } })
  await undone(async (tx) => {
    expect(await markPaid(tx, payment)).toBe('paid')
    expect(await markPaid(tx, payment)).toBe('already-paid')
  })
  expect(await db().order.findUnique({ where: { id: orderId } })).toMatchObject({ status: 'pending', paidAt: null })
  expect(await queued()).toBe(0)
  expect(await markPaid(visitor(), payment)).toBe('paid')
  expect(await db().drop.findUnique({ where: { id: drop.id } })).toMatchObject({ held: 0, sold: 1 })
  expect(await queued()).toBe(2)
})

it('a transaction inside another one joins the outer one', async () => {
  const drop = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
  await undone(async (tx) => {
    await transaction(tx, async (inner) => {
      expect(inner).toBe(tx)
      expect(await archiveDrops(inner)).toBeGreaterThan(0)
    })
  })
  expect(await db().drop.findUnique({ where: { id: drop.id } })).toMatchObject({ archivedAt: null })
})

// After a transaction its connection goes back to the pool and may serve the transaction of another request.
it.each([
  ['a transaction', transaction],
  ['a transaction of hand-written statements', sqlTransaction],
])('%s refuses statements once it has ended', async (_name, open) => {
  let late: Pick<Context, 'sql'> | undefined
  await open(visitor(), async (tx) => {
    late = tx
    await tx.sql('one', 'SELECT 1')
  })
  await expect(late?.sql('one', 'SELECT 1')).rejects.toThrow('the transaction has ended')
})

it('hand-written statements are rolled back when their own transaction or the outer one fails', async () => {
  const seller = await makeSeller()
  const rename = (tx: Pick<Context, 'sql'>, name: string) =>
    tx.sql('rename', 'UPDATE "User" SET "firstName" = :name WHERE "id" = :id', { name, id: seller.id })
  const alone = sqlTransaction(visitor(), async (tx) => {
    await rename(tx, 'Alone')
    throw failure
  })
  await expect(alone).rejects.toBe(failure)
  await undone((tx) => sqlTransaction(tx, async (inner) => void (await rename(inner, 'Within'))))
  expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'Sam' })
  await sqlTransaction(visitor(), (tx) => rename(tx, 'Renamed'))
  expect(await db().user.findUnique({ where: { id: seller.id } })).toMatchObject({ firstName: 'Renamed' })
})

it('gives each of several simultaneous transactions its own connection', async () => {
  const backendOf = async ({ sql }: Context) => {
    const [row] = await sql<{ pid: number }>('pid', 'SELECT pg_backend_pid() AS "pid" FROM pg_sleep(0.02)')
    return row?.pid
  }
  const backends = await Promise.all(
    Array.from({ length: 12 }, () =>
      transaction(visitor(), async (tx) => {
        const backend = await backendOf(tx)
        expect(await backendOf(visitor())).not.toBe(backend)
        expect(await backendOf(tx)).toBe(backend)
        return backend
      }),
    ),
  )
  expect(new Set(backends).size).toBe(12)
})

it('refuses two different statements with the same name, and a statement with a missing value', async () => {
  await visitor().sql('one-name', 'SELECT 1')
  await expect(visitor().sql('one-name', 'SELECT 2')).rejects.toThrow('two statements are called one-name')
  await expect(visitor().sql('no-value', 'SELECT :a::int', { b: 1 })).rejects.toThrow(':a')
  await expect(visitor().sql.unprepared('SELECT :a::int AS "a"', { a: 1 })).resolves.toEqual([{ a: 1 }])
})

it('queues an email once, even when it is requested twice, and not when the transaction is rolled back', async () => {
  await undone(async (tx) => void (await queueMail(tx, [mail('sale:undone')])))
  expect(await queueMail(visitor(), [mail('sale:once'), mail('sale:twice')])).toBe(2)
  expect(await queueMail(visitor(), [mail('sale:once'), mail('sale:thrice')])).toBe(1)
  expect(await queueMail(visitor(), [])).toBe(0)
  const keys = ['sale:undone', 'sale:once', 'sale:twice', 'sale:thrice']
  const rows = await db().outboxMail.findMany({ where: { dedupeKey: { in: keys } } })
  expect(rows.map(({ dedupeKey }) => dedupeKey).toSorted()).toEqual(['sale:once', 'sale:thrice', 'sale:twice'])
  const { to, subject, text, content } = mail('sale:once')
  expect(rows[0]).toMatchObject({ to, subject, text, content, isBulk: false, sentAt: null, attempts: 0 })
})
