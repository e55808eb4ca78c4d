import 'server-only'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { dropPath } from './rules'

type DropFacts = { id: number; run: number; title: string; customSlug: string | null; uniqueId: string }

type Recipient = { email: string; firstName: string }

const STOP_HINT = 'You can turn these emails off in Settings, under Email notifications.'

/** Returns the email to the seller when auto-renew has made a drop live again (docs/product.md#auto-renew). */
export function renewedMail(drop: DropFacts, seller: Recipient, appUrl: string): QueuedMail {
  return composeMail(seller.email, `renewed:${drop.id}:${drop.run}`, {
    subject: `Live again: ${drop.title}`,
    preview: 'Auto-renew started a new run with the same link.',
    heading: 'Your drop is live again',
    paragraphs: [
      `Auto-renew relaunched ${drop.title} with the same link.`,
      'Auto-renew relaunches a drop up to twice in a row, and stops after a run without a sale.',
    ],
    button: { label: 'View your drop', url: appUrl + dropPath(drop) },
    footer: STOP_HINT,
  })
}
