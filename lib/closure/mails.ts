import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'

/** Returns the email about a deleted account. `to` is the address that the account had before its data was removed. */
export function accountClosedMail(to: string, userId: number): QueuedMail {
  return composeMail(to, `account-closed:${userId}`, {
    subject: 'Your account was deleted',
    preview: 'Your drops have ended and your personal data was removed.',
    heading: 'Your account was deleted',
    paragraphs: [
      `Your ${brand.name} account was deleted. Your drops have ended, you were signed out everywhere, and your personal data was removed.`,
      "We keep order records without your name. You'll still get any payouts you're owed.",
      `Wasn't you? Write to ${brand.contact.support} right away.`,
    ],
  })
}
