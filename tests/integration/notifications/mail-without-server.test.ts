import { closeDatabase, db } from '@/lib/infra/db'
import { sendDueMail } from '@/lib/notifications/send-due-mail'
import { queueMail } from '@/lib/notifications/queue-mail'
import { relaunchMail } from '@/lib/waitlist/mails'
import { visitor } from '../../support/factories'

// With these variables, real money moves and there is no mail server.
Object.assign(process.env, {
  APP_URL: 'https://drops.example',
  NEXTAUTH_URL: '',
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
  NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  MAIL_FROM: 'Drops <drops@drops.example>',
  SMTP_URL: '',
})

afterAll(closeDatabase)

const drop = { title: 'Mug', customSlug: null, uniqueId: 'dro0000001', priceCents: 2400, hasSurcharge: false }

test('with live keys and without a mail server, an email waits in the outbox instead of counting as sent', async () => {
  await queueMail(visitor(), [
    relaunchMail(
      { id: 7, email: 'bea@example.com' },
      drop,
      { run: 2, end: new Date(Date.now() + 3_600_000) },
      'https://drops.example',
    ),
  ])
  expect(await sendDueMail(visitor())).toBe(0)
  expect(await sendDueMail(visitor(), { isUrgent: true })).toBe(0)
  expect(await db().outboxMail.findFirst()).toMatchObject({ sentAt: null, attempts: 0 })
})
