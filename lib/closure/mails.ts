import 'server-only'
import { brand } from '@/lib/kernel/brand'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'

export function accountClosedMail(to: string, userId: number): QueuedMail {
  return composeMail(to, `account-closed:${userId}`, {
    subject: 'Your account was deleted',
    preview: 'Your drops have ended and your personal data is gone.',
    heading: 'Your account was deleted',
    paragraphs: [
      `Your ${brand.name} account was deleted. Your drops have ended, every device was logged out, and your personal data was removed.`,
      'Orders stay in the books without your name. Money you have already earned still arrives.',
    ],
  })
}
