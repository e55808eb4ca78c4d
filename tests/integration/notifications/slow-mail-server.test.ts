// A mail server that sends one byte after another, without ever finishing its response, keeps its connection in use, so
// no timeout for silent connections ends it. Here one recipient's emails are answered that way.
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { closeDatabase, db } from '@/lib/infra/db'
import { composeMail } from '@/lib/notifications/compose-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { visitor } from '../../support/factories'
import { until } from '../../support/until'

const sockets = new Set<Socket>()

/** Responds to the commands of SMTP, and answers an email to "slow@…" with a line that never ends. */
function respond(socket: Socket): void {
  sockets.add(socket)
  let isSlow = false
  let isContent = false
  socket.on('error', () => socket.destroy())
  socket.on('close', () => sockets.delete(socket))
  socket.on('data', (chunk) => {
    const text = chunk.toString()
    if (text.startsWith('RCPT')) isSlow = text.includes('slow@')
    if (isContent && !text.endsWith('\r\n.\r\n')) return
    if (isContent && isSlow) {
      const timer = setInterval(() => socket.write('2'), 100)
      return void socket.once('close', () => clearInterval(timer))
    }
    socket.write(text.startsWith('DATA') ? '354 Go on\r\n' : '250 Good\r\n')
    isContent = text.startsWith('DATA')
  })
  socket.write('220 Welcome\r\n')
}

const server = createServer(respond)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  process.env.SMTP_URL = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await closeDatabase()
})

const text = { subject: 'Hello', preview: 'Hello', heading: 'Hello', paragraphs: ['Hello'] }

it('an email that the server never finishes confirming is given up for now, so the next emails are sent', async () => {
  await queueMail(visitor(), [
    composeMail('slow@example.com', 'sale:slow', text),
    composeMail('mia@example.com', 'sale:mia', text),
  ])
  expect(await sendDueMail(visitor())).toBe(1)
  const slow = await db().outboxMail.findUniqueOrThrow({ where: { dedupeKey: 'sale:slow' } })
  expect(slow).toMatchObject({ sentAt: null, lastError: expect.stringMatching(/took too long/) })
  // The connection is closed, so the server cannot confirm the email after another attempt has begun.
  await until('closed connection', () => Promise.resolve(sockets.size === 0))
}, 60_000)
