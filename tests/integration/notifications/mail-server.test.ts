import type { AddressInfo } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { closeDatabase, db } from '@/lib/infra/db'
import { brand } from '@/lib/kernel/brand'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { startMailSql } from '@/lib/notifications/start-mail-sql'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { buyerMessage } from '@/lib/orders/mails'
import { relaunchMail } from '@/lib/waitlist/mails'
import { visitor } from '../../support/factories'

// These tests check emails as a mail server receives them. Like real servers, the server reads a whole email before it
// responds.
const received: ParsedMail[] = []
let refusals = 0
let whileReceiving: () => Promise<unknown> = () => Promise.resolve()

const server = new SMTPServer({
  authOptional: true,
  // Without this option, a name server that does not respond would delay the test.
  disableReverseLookup: true,
  closeTimeout: 100,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData: (stream, _session, done) => {
    simpleParser(stream).then(async (mail) => {
      received.push(mail)
      await whileReceiving()
      const refused = Object.assign(new Error('Try again later'), { responseCode: 451 })
      done(refusals-- > 0 ? refused : null)
    }, done)
  },
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env.SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  process.env.MAIL_FROM = 'Lastcall <no-reply@shop.example>'
})

beforeEach(() => {
  received.length = 0
  refusals = 0
})

afterAll(async () => {
  await closeDatabase()
  await new Promise<void>((resolve) => server.close(resolve))
})

/** Queues an email and sends it. The server first refuses it `refused` times. @returns what the server received. */
async function send(mail: QueuedMail, refused = 0): Promise<ParsedMail[]> {
  refusals = refused
  await queueMail(visitor(), [mail])
  for (let attempt = 0; attempt <= refused; attempt += 1) {
    await sendDueMail(visitor())
    // The next attempt would follow minutes later, so it is made due now.
    await db().outboxMail.updateMany({ where: { sentAt: null }, data: { sendAfter: new Date(0) } })
  }
  expect(await db().outboxMail.count({ where: { sentAt: null } })).toBe(0)
  return received
}

const text = { subject: 'Hello', preview: 'Hello', heading: 'Hello', paragraphs: ['Hello'] }

it('keeps the Message-ID of an email in all attempts, and gives every email its own', async () => {
  const [first, second, third] = await send(composeMail('mia@example.com', 'sale:one', text), 2)
  expect(first?.messageId).toMatch(/^<[0-9a-f]{32}@shop\.example>$/)
  expect([second?.messageId, third?.messageId]).toEqual([first?.messageId, first?.messageId])
  received.length = 0
  const [other] = await send(composeMail('mia@example.com', 'sale:two', text))
  expect(other?.messageId).not.toBe(first?.messageId)
})

it('an email that is being sent again does not count as unsent, so it is not recalled and sent twice', async () => {
  const { dedupeKey } = composeMail('mia@example.com', 'sale:retried', text)
  const counts: number[] = []
  whileReceiving = async () => {
    const rows = await db().$queryRawUnsafe<object[]>(
      `SELECT 1 FROM "OutboxMail" m WHERE m."dedupeKey" = '${dedupeKey}' AND ${startMailSql.isUnsent}`,
    )
    counts.push(rows.length)
  }
  await send(composeMail('mia@example.com', 'sale:retried', text), 1)
  whileReceiving = () => Promise.resolve()
  expect(counts).toEqual([0, 0])
})

it('gives an email its own Message-ID even if an earlier one had the same key and the same subject', async () => {
  const [first] = await send(composeMail('mia@example.com', 'sale:again', text))
  // The reminder of a start that was canceled and restored is such an email (recall-start-mails.ts).
  await db().outboxMail.update({ where: { dedupeKey: 'sale:again' }, data: { dedupeKey: 'sale:again:1' } })
  received.length = 0
  const [second] = await send(composeMail('mia@example.com', 'sale:again', text))
  expect(second?.subject).toBe(first?.subject)
  expect(second?.messageId).not.toBe(first?.messageId)
})

it('an email is marked as automatic, and replies to it go to our support', async () => {
  const [mail] = await send(composeMail('mia@example.com', 'sale:three', text))
  expect(mail?.headers.get('auto-submitted')).toBe('auto-generated')
  expect(mail?.replyTo?.value).toEqual([{ name: '', address: brand.contact.support }])
  expect(mail?.from?.value).toEqual([{ name: 'Lastcall', address: 'no-reply@shop.example' }])
  expect(mail?.headers.has('list')).toBe(false)
})

it("the seller's reply to a message goes only to the buyer's address, or to our support if no address is known", async () => {
  const order = {
    id: `ord_${'a'.repeat(22)}`,
    token: 'x'.repeat(43),
    dropTitle: 'Mug',
    quantity: 1,
    amountCents: 2400,
    discountCode: null,
    discountCents: 0,
    platformFeeCents: 120,
    platformFeeBps: 500,
    sellerPayoutCents: 2280,
    productType: 'physical',
    seller: { username: 'sam', email: 'sam@example.com' },
    buyerName: 'Bea',
  } as const
  const write = (buyerEmail: string | null, id: string) =>
    send(buyerMessage({ ...order, buyerEmail }, { id, text: 'Where is it?' }, 'http://localhost:3000'))
  expect((await write('bea@example.com', 'msg_1'))[0]?.replyTo?.value).toEqual([
    { name: '', address: 'bea@example.com' },
  ])
  received.length = 0
  // The email address from the payment page is treated as one address, whatever characters it contains.
  const [odd] = await write('bea@example.com,eve@example.com\r\nBcc: eve@example.com', 'msg_2')
  expect(odd?.replyTo?.value).toHaveLength(1)
  expect(odd?.bcc).toBeUndefined()
  expect(odd?.to).toMatchObject({ value: [{ address: 'sam@example.com' }] })
  received.length = 0
  expect((await write(null, 'msg_3'))[0]?.replyTo?.value).toEqual([{ name: '', address: brand.contact.support }])
})

it('the headers of a waitlist email offer one-click unsubscribing', async () => {
  const drop = { title: 'Mug', customSlug: null, uniqueId: 'dro0000001', priceCents: 2400, hasSurcharge: false }
  const [mail] = await send(
    relaunchMail(
      { id: 7, email: 'mia@example.com' },
      drop,
      { run: 2, end: new Date(Date.now() + 3_600_000) },
      'http://localhost:3000',
    ),
  )
  const raw = mail?.headerLines.filter(({ key }) => key.startsWith('list-')).map(({ line }) => line)
  expect(raw).toEqual([
    expect.stringMatching(/^List-Unsubscribe:\s+<http:\/\/localhost:3000\/api\/waitlist\/leave\?entry=7&key=\w+>$/),
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ])
})
