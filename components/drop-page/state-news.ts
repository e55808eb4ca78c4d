import { dropTexts } from '@/lib/drops/messages'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { isCanceled } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'

type Changing = Pick<DropView, 'state' | 'startedAt' | 'endTime' | 'sold' | 'inCheckout' | 'isOpenEdition'>

/** What the open page of a drop announces to a screen reader when its state has changed to this one. */
export function stateNews(drop: Changing): string {
  if (drop.state === 'ended') return `${isCanceled(drop) ? dropTexts.canceledTitle : dropTexts.expiredText}.`
  if (drop.state === 'soldOut') return drop.isOpenEdition ? `${openTexts.fullBadge}.` : 'Sold out.'
  if (drop.state === 'paused') return 'Paused.'
  return drop.state === 'live' ? 'On sale now.' : ''
}
