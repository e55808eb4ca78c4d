import 'server-only'
import { formatUsd } from '@/lib/kernel/money'
import { formatMoment } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { conversionText, dropPath, relaunchAt } from './rules'

type DropFacts = { id: number; run: number; title: string; customSlug: string | null; uniqueId: string; endTime: Date }

/** The facts of a recap. `views` and `sold` count only the run that ended; `held` units are still in checkout. */
export type RecapFacts = DropFacts & {
  views: number
  sold: number
  held: number
  quantity: number
  priceCents: number
  /** What discount codes took off the units of this run. */
  discountedCents: number
}

type Recipient = { email: string; firstName: string }
/** `timezone`: the one that the seller has chosen in the settings. */
type RecapRecipient = Recipient & { timezone: string }

const STOP_HINT = 'You can turn these emails off in Settings, under Email notifications.'

/** The email to the seller about a run that ended. It is sent once per run. */
export function recapMail(drop: RecapFacts, seller: RecapRecipient, appUrl: string): QueuedMail {
  const revenue = formatUsd(drop.sold * drop.priceCents - drop.discountedCents)
  const sales = drop.sold === 1 ? '1 sale' : `${drop.sold} sales`
  const paragraphs = [
    drop.sold > 0
      ? `${drop.title} has ended. Here's how it went.`
      : `${drop.title} has ended without a sale this time.`,
    `You can relaunch it with the same link from ${formatMoment(relaunchAt(drop.endTime), seller.timezone)}.`,
  ]
  if (drop.held > 0)
    paragraphs.push(`${drop.held} more may still be paid in checkout. We'll email you about each sale.`)
  const mail = composeMail(seller.email, `recap:${drop.id}:${drop.run}`, {
    subject: `Your drop has ended: ${drop.title}`,
    preview: `${sales}, ${revenue}.`,
    heading: drop.sold > 0 ? `${sales}, ${seller.firstName}` : 'Your drop has ended',
    paragraphs,
    facts: [
      ['Views', drop.views.toLocaleString('en-US')],
      ['Sold', `${drop.sold} of ${drop.quantity}`],
      ['Conversion', conversionText(drop.sold, drop.views)],
      ['Revenue', revenue],
    ],
    button: { label: 'Open your dashboard', url: `${appUrl}/` },
    footer: STOP_HINT,
  })
  return { ...mail, isBulk: true }
}

/** The email to the seller when auto-renew has made a drop live again (docs/product.md#auto-renew). */
export function renewedMail(drop: DropFacts, seller: Recipient, appUrl: string): QueuedMail {
  const mail = composeMail(seller.email, `renewed:${drop.id}:${drop.run}`, {
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
  return { ...mail, isBulk: true }
}
