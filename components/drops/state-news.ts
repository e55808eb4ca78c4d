import { dropTexts } from '@/lib/drops/messages'
import { isCanceled } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'

/** What the open page of a drop announces to a screen reader when its state has changed to this one. */
export function stateNews(drop: Pick<DropView, 'state' | 'startedAt' | 'endTime' | 'sold' | 'inCheckout'>): string {
  if (drop.state === 'ended') return `${isCanceled(drop) ? dropTexts.canceledTitle : dropTexts.expiredText}.`
  if (drop.state === 'soldOut') return 'Sold out.'
  return drop.state === 'live' ? 'On sale now.' : ''
}
