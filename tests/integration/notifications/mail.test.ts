import { closeDatabase, database, db } from '@/lib/infra/db'
import { visitor } from '../../support/factories'
import { newId } from '@/lib/kernel/id'
import { composeMail } from '@/lib/notifications/compose-mail'
import { listMail } from '@/lib/notifications/queries'
import { sendDueMail } from '@/lib/notifications/send-due-mail'

afterAll(closeDatabase)

it('an email has its content in the HTML and the plain text, escapes it in the HTML, and is sent once', async () => {
  const to = `${newId('m').toLowerCase()}@example.com`
  const mail = composeMail(to, `sale:${to}`, {
    subject: 'A\r\nBcc: x@y.z <b>mug</b>',
    preview: 'Preview',
    heading: 'You sold <script>alert(1)</script>',
    paragraphs: ['One line\nand another'],
    facts: [['Amount', '$24.00']],
    button: { label: 'View order', url: 'http://localhost:3000/orders?a=1&b=2' },
    footer: 'Bye',
  })
  await db().outboxMail.createMany({ data: [mail, mail], skipDuplicates: true })
  // The list shows the email before it is sent, and shows the same afterwards.
  const [before] = await listMail(database(), to)
  while ((await sendDueMail(visitor())) > 0);
  const [after, ...more] = await listMail(database(), to)
  expect(more).toEqual([])
  expect(after).toEqual(before)
  expect(after?.subject).toBe('A Bcc: x@y.z <b>mug</b>')
  for (const part of ['One line', 'and another', 'Amount', '$24.00', 'View order', 'Bye', 'Lastcall']) {
    expect(after?.html).toContain(part)
    expect(after?.text).toContain(part)
  }
  expect(after?.html).toContain('&lt;script&gt;')
  expect(after?.html).not.toContain('<script')
  expect(after?.html).toContain('href="http://localhost:3000/orders?a=1&amp;b=2"')
  expect(await db().outboxMail.findFirst({ where: { to } })).toMatchObject({ sentAt: expect.any(Date), attempts: 1 })
})
