import { formatCount } from '@/lib/kernel/format-count'
import { openTexts } from './open-messages'
import type { EditionRunView, EditionView } from './edition-view'

/** The texts about numbered drops (docs/product.md#numbered-editions). */
export const editionTexts = {
  option: 'Number each unit',
  optionHint:
    "Each unit gets its own number when it's sold, starting at No. 1. Buyers see the number on their order and receipt. You can't change this after you publish. When you refund a unit, its number is retired and no one else gets it.",
  fact: 'Each unit has its own number, starting at No. 1 in each run.',
  relaunch: 'This drop is numbered. The new run begins at No. 1. The numbers of earlier runs stay as they are.',
  title: 'Numbered edition',
  intro:
    'Each paid unit gets the next number. When a unit is refunded, its number is retired and no one else gets it. Every run begins at No. 1.',
  retired: 'Retired after a refund',
  kindInvalid: 'The edition must be open or numbered.',
  noneRetired: 'No numbers have been retired.',
  notNumbered: "The units of this drop don't have numbers.",
  noService: "You can't number a service. Choose a physical or digital drop, or turn off numbering.",
  invalid: 'Choose whether each unit gets a number: true or false.',
} as const

/** Formats numbers as "17" or "17–19". The numbers of one order are consecutive. */
function rangeText(numbers: readonly number[]): string {
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)]
  return first === last ? formatCount(first) : `${formatCount(first)}–${formatCount(last)}`
}

/** Returns the line of the refund email about the numbers that are retired: "No. 18–19". */
export function retiredText(numbers: readonly number[]): string {
  return `No. ${rangeText(numbers)}`
}

/**
 * Formats the numbers of an order: "No. 17", or "17 of 62" once the run has given its last number. Any run after the
 * first is named, and retired numbers are added.
 */
export function editionText({ run, numbers, retired, total }: EditionView): string {
  const text = total === null ? `No. ${rangeText(numbers)}` : `${rangeText(numbers)} of ${formatCount(total)}`
  const later = run > 1 ? `, run ${run}` : ''
  if (retired.length === 0) return text + later
  const which = retired.length === numbers.length ? 'retired' : `${rangeText(retired)} retired`
  return `${text}${later} (${which})`
}

/** Says of a numbered open edition that the total is not known yet; null once it is, and for any other drop. */
export function editionNote({ isOpen = false, total }: EditionView): string | null {
  return isOpen && total === null ? openTexts.numberNote : null
}

/** Says which numbers a run has given, for example "No. 1 to No. 62 were assigned. There won't be any more." */
export function givenText({ given, isComplete }: Pick<EditionRunView, 'given' | 'isComplete'>): string {
  if (given === 0)
    return isComplete
      ? 'No units were sold, so no numbers were assigned.'
      : 'No units have sold yet, so no numbers have been assigned.'
  const range = given === 1 ? 'No. 1 was assigned.' : `No. 1 to No. ${formatCount(given)} were assigned.`
  return `${range} ${isComplete ? "There won't be any more." : 'More may follow.'}`
}
