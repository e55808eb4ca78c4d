import { formatCount } from '@/lib/kernel/format-count'

/** The texts about early access (docs/product.md#early-access). */
export const earlyTexts = {
  label: 'Let followers buy first',
  off: 'Off',
  minutes: (minutes: number) => `${minutes} minutes before`,
  unitsLabel: 'Units for followers',
  half: 'Half of the units',
  unitsHint:
    'Followers can buy up to this many early. The rest, and any they leave, go on sale to everyone at the start.',
  hint: 'We email each confirmed follower a personal link that works for one order.',
  nobody:
    'Nobody follows you yet. Followers are people who left their email address on your profile. Anyone who follows you before the links go out gets one.',
  invalid: 'Choose a whole number of minutes from 30 to 120, or turn early access off.',
  unitsInvalid: 'Enter a whole number of 1 or more.',
  needsStart: 'Choose a start first. A drop that starts now has no early access.',
  openEdition: 'An open edition has a unit for everyone who orders in time, so it has no early access.',
  oneUnit: 'This drop has one unit, and at least one must stay for everyone. Add units, or turn early access off.',
  tooMany: 'At least one unit must stay for everyone. Enter fewer.',
  past: 'Early access would already have started. Choose a later start or fewer minutes.',
  sent: "We've emailed your followers their links, so the start and early access are fixed. You can still cancel the start.",
  followFirst: 'Follow to get a personal link. We email the links a few minutes before followers can buy.',
  title: 'Early access',
  notOpenTitle: 'Early access opens soon',
  notOpen: 'This page updates by itself.',
  notOpenWithoutScript: 'Reload this page when early access opens.',
  open: 'You can buy before everyone else until the public start. Your link works for one order.',
  fullTitle: 'All early units are taken',
} as const

/**
 * Returns what the public teaser says: "10 of 20 units are reserved for everyone". Followers may take all units of one
 * value, so for a drop with an option the text says that the number is a total across all choices.
 */
export function publicUnitsText(publicUnits: number, quantity: number, option?: { name: string }): string {
  const inAll = option ? ' across all choices' : ''
  return `${formatCount(publicUnits)} of ${formatCount(quantity)} units${inAll} ${publicUnits === 1 ? 'is' : 'are'} reserved for everyone`
}

/** Returns what the history of a run says: "followers could buy 60 min earlier: 7 sold". */
export function earlySoldText(minutes: number, sold: number): string {
  return `followers could buy ${minutes} min earlier: ${formatCount(sold)} sold`
}

/** Returns what the teaser of a scheduled drop says about its start. */
export function scheduledText({ earlyStartsAt }: { earlyStartsAt: string | null }): string {
  return earlyStartsAt === null
    ? 'Nobody can buy before the start. This page updates by itself then.'
    : 'This page updates by itself when the drop starts for everyone.'
}
