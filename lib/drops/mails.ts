import 'server-only'
import { formatUsd } from '@/lib/kernel/money'
import { formatUtc } from '@/lib/kernel/time'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { conversionText, dropPath, relaunchAt } from './rules'

type DropFacts = { id: number; run: number; title: string; customSlug: string | null; uniqueId: string; endTime: Date }

/** `views` and `sold` count only the run that ended. */
export type RecapFacts = DropFacts & { views: number; sold: number; held: number; quantity: number; priceCents: number }

type Recipient = { email: string; firstName: string }

const STOP_HINT = 'You can switch these mails off under Settings, Email notifications.'

/** The recap of a run, sent once per run. */
export function recapMail(drop: RecapFacts, seller: Recipient, appUrl: string): QueuedMail {
  const sales = drop.sold === 1 ? '1 sale' : `${drop.sold} sales`
  const paragraphs = [
    drop.sold > 0 ? `${drop.title} is over. Here is how it went.` : `${drop.title} is over, without a sale this time.`,
    `You can relaunch it on the same link from ${formatUtc(relaunchAt(drop.endTime))}.`,
  ]
  if (drop.held > 0) paragraphs.push(`${drop.held} in checkout may still be paid; you would hear of each.`)
  const mail = composeMail(seller.email, `recap:${drop.id}:${drop.run}`, {
    subject: `Your drop is over: ${drop.title}`,
    preview: `${sales}, ${formatUsd(drop.sold * drop.priceCents)}.`,
    heading: drop.sold > 0 ? `${sales}, ${seller.firstName}` : 'Your drop is over',
    paragraphs,
    facts: [
      ['Views', drop.views.toLocaleString('en-US')],
      ['Sold', `${drop.sold} of ${drop.quantity}`],
      ['Conversion', conversionText(drop.sold, drop.views)],
      ['Revenue', formatUsd(drop.sold * drop.priceCents)],
    ],
    button: { label: 'Open your dashboard', url: `${appUrl}/` },
    footer: STOP_HINT,
  })
  return { ...mail, isBulk: true }
}

/** Auto-renew has made a drop live again (docs/product.md#auto-renew). */
export function renewedMail(drop: DropFacts, seller: Recipient, appUrl: string): QueuedMail {
  const mail = composeMail(seller.email, `renewed:${drop.id}:${drop.run}`, {
    subject: `Live again: ${drop.title}`,
    preview: 'Auto-renew has started a new run on the same link.',
    heading: 'Your drop is live again',
    paragraphs: [
      `Auto-renew has relaunched ${drop.title} on the same link.`,
      'It runs at most three times in a row, and stops after a run without a sale.',
    ],
    button: { label: 'See your drop', url: appUrl + dropPath(drop) },
    footer: STOP_HINT,
  })
  return { ...mail, isBulk: true }
}
