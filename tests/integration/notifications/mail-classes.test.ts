// Emails that visitors request for any address do not delay urgent emails (docs/product.md#mail). The mail server of
// these tests takes 50 ms for each email.
import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { requestPasswordReset } from '@/lib/accounts/request-password-reset'
import { closeDatabase, db } from '@/lib/infra/db'
import { newId } from '@/lib/kernel/id'
import { composeMail, type MailKind } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { joinWaitlist } from '@/lib/waitlist/join-waitlist'
import { makeDrop, makeSeller, visitor } from '@/tests/support/factories'

let server: Server
const received: { to: string; at: number }[] = []

/** Implements the part of SMTP that nodemailer needs. */
function serve(socket: Socket): void {
  let isBody = false
  socket.write('220 mail\r\n')
  socket.on('error', () => undefined)
  socket.on('data', (chunk) => {
    for (const line of chunk.toString('utf8').split('\r\n').filter(Boolean)) {
      if (isBody) {
        if (line !== '.') continue
        isBody = false
        setTimeout(() => socket.write('250 taken\r\n'), 50)
      } else if (line.startsWith('RCPT TO')) {
        received.push({ to: /<([^>]*)>/.exec(line)?.[1] ?? '', at: performance.now() })
        socket.write('250 ok\r\n')
      } else if (line === 'DATA') {
        isBody = true
        socket.write('354 go on\r\n')
      } else {
        socket.write('250 ok\r\n')
      }
    }
  })
}

beforeAll(async () => {
  server = createServer(serve).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  // These variables have to be set before the environment is first read.
  process.env.SMTP_URL = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  process.env.MAIL_FROM = 'Lastcall <mail@example.com>'
})

afterAll(async () => {
  server.close()
  await closeDatabase()
})

const mail = (kind: MailKind) =>
  composeMail(`${newId('m').toLowerCase()}@example.com`, `${kind}:${newId('k')}`, {
    subject: kind,
    preview: kind,
    heading: kind,
    paragraphs: [],
  })

it('the job for urgent mail sends a password reset but no sale notice or opt-in, and only the opt-in is bulk mail', async () => {
  const [optIn, sale, reset] = [mail('waitlist-confirm'), mail('sale'), mail('password-reset')]
  await queueMail(visitor(), [optIn, sale, reset])
  expect(await sendDueMail(visitor(), { isUrgent: true })).toBe(1)
  expect(received.map(({ to }) => to)).toEqual([reset.to])
  const rows = await db().outboxMail.findMany({ where: { to: { in: [optIn.to, sale.to] } } })
  expect(rows.find(({ to }) => to === optIn.to)).toMatchObject({ isBulk: true, isUrgent: false })
  expect(rows.find(({ to }) => to === sale.to)).toMatchObject({ isBulk: false, isUrgent: false })
  await sendDueMail(visitor())
})

it('sends a password reset within two seconds although 300 opt-ins of visitors are queued', async () => {
  const drop = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
  const emails = Array.from({ length: 300 }, () => `${newId('m').toLowerCase()}@example.com`)
  for (let at = 0; at < emails.length; at += 10) {
    await Promise.all(
      emails.slice(at, at + 10).map((email) => joinWaitlist(visitor(), { identifier: drop.uniqueId, email })),
    )
  }
  const seller = await makeSeller()
  let isDone = false
  // Simulates one of the two mail jobs of lib/jobs/start-jobs.ts, which run every second.
  const job = async (options?: { isUrgent: boolean }) => {
    while (!isDone) {
      await sendDueMail(visitor(), options)
      await new Promise((resolve) => setTimeout(resolve, isDone ? 0 : 200))
    }
  }
  const jobs = [job(), job({ isUrgent: true })]
  while (!received.some(({ to }) => emails.includes(to))) await new Promise((resolve) => setImmediate(resolve))
  const asked = performance.now()
  await requestPasswordReset(visitor(), { email: seller.email })
  const find = () => received.find(({ to }) => to === seller.email)
  while (!find()) await new Promise((resolve) => setImmediate(resolve))
  const tookMs = (find()?.at ?? Number.NaN) - asked
  const optInsBefore = received.filter(({ to, at }) => emails.includes(to) && at < (find()?.at ?? 0)).length
  isDone = true
  await Promise.all(jobs)
  console.log(`The reset left ${Math.round(tookMs)} ms after it was requested, after ${optInsBefore} of 300 opt-ins`)
  // A round sends up to 40 of these emails, and the reset may have to wait for two rounds.
  expect(optInsBefore).toBeLessThan(100)
})

it('refuses a request for an opt-in after 1,000 opt-ins of the drop within an hour', async () => {
  const drop = await makeDrop({ endTime: new Date(Date.now() - 1_000) })
  const join = () =>
    joinWaitlist(visitor(), { identifier: drop.uniqueId, email: `${newId('m').toLowerCase()}@example.com` })
  await join()
  await db().$executeRaw`UPDATE "RateLimit" SET "points" = 1000 WHERE "key" LIKE 'waitlist-drop:%' AND "points" = 1`
  await expect(join()).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
})
