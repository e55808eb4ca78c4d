import { formatCount } from '@/lib/kernel/format-count'
import type { DropView } from '../view'

/** The texts about open editions (docs/product.md#open-editions). */
export const openTexts = {
  limited: 'Limited',
  limitedHint: 'You set how many there are.',
  open: 'Open',
  openHint: 'As many as people order before the end.',
  capLabel: 'Safety cap',
  capHint:
    'We stop taking orders at this number, so you never owe more than you can make. Buyers see the cap on the drop page. You can lower it later, but never raise it after the first sale.',
  formHint:
    "An open edition closes forever at its end. You can't extend, relaunch or renew it, and you can't switch to a limited edition later.",
  numberHint: 'Buyers see the total of an open edition only after it ends.',
  invalid: 'Choose whether the edition is open: true or false.',
  staysAsItIs: 'Whether an edition is open or limited is fixed when you publish it.',
  capInvalid: 'The safety cap must be a whole number from 1 to 1,000,000.',
  noKeys:
    "An open edition can't have a list of keys, because the keys limit the number of units. Remove the keys, or make the edition limited.",
  capRaised: "The safety cap can't be raised after the first sale, because buyers saw it when they ordered.",
  noSecondRun: "An open edition closes forever, so it can't be launched again. You can publish a new drop instead.",
  adminExtend: 'This is an open edition. Its end is fixed, and only an outage of the whole platform moves it.',
  adminReopen: "This open edition is closed forever, so it can't be put back on sale.",
  editionClosed: 'This open edition is closed, so nothing will become available again.',
  endHint: "The edition closes forever, and you can't launch it again.",
  cancelHint: "You can't launch this open edition again, but you can publish a new drop.",
  closedBadge: 'Closed forever',
  fullBadge: 'All ordered',
  editionIntro:
    'Each paid unit gets the next number. When a unit is refunded, its number is retired and no one else gets it. This open edition has one run and never comes back.',
  totalAtTheEnd: 'The total is known at the end.',
  numberNote: 'Numbered in order. The total is known at the end.',
} as const

/** Says in the create form what edition is chosen: "Limited edition, not numbered". A service has no numbers. */
export function editionLine({ isOpen, isNumbered }: { isOpen: boolean; isNumbered: boolean | null }): string {
  const kind = isOpen ? 'Open edition' : 'Limited edition'
  return isNumbered === null ? kind : `${kind}, ${isNumbered ? 'numbered' : 'not numbered'}`
}

/**
 * Says on the drop page what an open edition is: "You can order until the end, or until all 1,000 units are ordered. …"
 */
export function openFactText({ state, quantity }: Pick<DropView, 'state' | 'quantity'>): string {
  return state === 'ended'
    ? `This edition was open until its end, with a cap of ${formatCount(quantity)}. It's now closed forever.`
    : `You can order until the end, or until ${quantity === 1 ? 'the only unit is' : `all ${formatCount(quantity)} units are`} ordered. This open edition never comes back.`
}

/** Says on the drop page what the numbers of an open edition are. */
export function openNumbersText({ state }: Pick<DropView, 'state'>): string {
  return `Each unit has its own number, in order.${state === 'ended' ? '' : ` ${openTexts.totalAtTheEnd}`}`
}

/** Says whether an open edition has given its last number. */
export function openStateText(isComplete: boolean): string {
  return isComplete ? openTexts.closedBadge : 'Open edition'
}

/** Returns the hint at the cap of a published open edition: what is ordered, and which changes are possible. */
export function capHintText({ sold, inCheckout, purchases }: Pick<DropView, 'sold' | 'inCheckout' | 'purchases'>) {
  const raise =
    purchases > 0
      ? "You can lower the cap, but you can't raise it anymore."
      : 'You can change the cap until the first sale.'
  return `${orderedSoFarText({ sold, inCheckout })}. ${raise}`
}

/** Returns the text for a cap that is lower than what is already ordered or in checkout. */
export function capTakenText(units: number): string {
  return `${formatCount(units)} ${units === 1 ? 'unit is' : 'units are'} ordered or in checkout, so the cap can't be lower.`
}

/** Says how many units of an open edition are ordered: "42 ordered so far, 2 in checkout". */
export function orderedSoFarText({ sold, inCheckout }: Pick<DropView, 'sold' | 'inCheckout'>): string {
  const checkouts = inCheckout > 0 ? `, ${formatCount(inCheckout)} in checkout` : ''
  return `${formatCount(sold)} ordered so far${checkouts}`
}

/**
 * Says roughly how many units are ordered, in steps: "7 ordered so far", "40+ ordered so far". Preview pictures show
 * this text, so that they do not have to be drawn again after every sale.
 */
export function roundedOrderedText(sold: number): string {
  if (sold < 10) return `${sold} ordered so far`
  const step = 10 ** (String(sold).length - 1)
  return `${formatCount(Math.floor(sold / step) * step)}+ ordered so far`
}

/** Says that an ended open edition is closed: "Closed forever: 62 were ordered." */
export function closedForEverText({ sold, inCheckout }: Pick<DropView, 'sold' | 'inCheckout'>): string {
  if (sold === 0) return inCheckout > 0 ? 'Closed forever.' : 'Closed forever: none were ordered.'
  return `Closed forever: ${formatCount(sold)} ${sold === 1 ? 'was' : 'were'} ordered.`
}

/** Says that units of an ended open edition are still in checkout; empty if none are. */
function stillPayingText(inCheckout: number): string {
  if (inCheckout === 0) return ''
  return `${formatCount(inCheckout)} ${inCheckout === 1 ? 'unit is' : 'units are'} still in checkout and can be paid for. `
}

/** Says that the cap of an open edition is reached: "Closed: all 1,000 that @juno can make have been ordered". */
function capReachedText({ quantity, productType, user }: Pick<DropView, 'quantity' | 'productType' | 'user'>): string {
  const who = user.username === null ? 'the seller' : `@${user.username}`
  const what = productType === 'service' ? 'can take on' : 'can make'
  if (quantity === 1) return `The only unit that ${who} ${what} is ordered`
  return `Closed: all ${formatCount(quantity)} that ${who} ${what} have been ordered`
}

type Noticed = Pick<
  DropView,
  'state' | 'isOpenEdition' | 'isNumbered' | 'sold' | 'inCheckout' | 'quantity' | 'productType' | 'user'
>

/** Returns what the page of an open edition says when nothing can be ordered anymore; null while it can. */
export function openNotice(drop: Noticed): { title: string; text: string } | null {
  if (!drop.isOpenEdition) return null
  if (drop.state === 'ended') {
    const still = stillPayingText(drop.inCheckout)
    return { title: closedForEverText(drop), text: `${still}This open edition never comes back.` }
  }
  if (drop.state !== 'soldOut') return null
  const mayFree = drop.isNumbered ? '' : ' If an order is refunded before the end, its unit can be ordered again.'
  return { title: capReachedText(drop), text: `This open edition never comes back.${mayFree}` }
}
