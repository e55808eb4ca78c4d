import { formatCount } from '@/lib/kernel/format-count'

/** The texts about drops that hand out keys (docs/product.md#keys). */
export const keyTexts = {
  label: 'Keys',
  hint: 'One key per line, such as a license key or a ticket code. Each unit gets its own key, so the quantity is the number of keys. Besides you, only the buyer sees the key, and only after paying.',
  addLabel: 'Add keys',
  addHint: 'One key per line. Each new key adds one unit.',
  relaunchHint: 'One key per line. Paste new ones if you need more.',
  fact: 'Digital key, on your order page',
  ready: 'Your key is ready on your order page right after you pay.',
  notDigital: 'Only digital drops can hand out keys.',
  noOption: "A drop with keys can't have choices. Remove the keys or the choices.",
  staysDigital: 'This drop hands out keys, so it stays digital.',
  noKeys: "This drop doesn't hand out keys. Publish a new drop to sell them.",
  quantityOfKeys: 'Each unit needs a key. Add keys to raise the quantity.',
  tooMany: 'A list can have up to 10,000 keys. Add the rest later, under Edit.',
  tooManyInAll: 'A drop can have up to 100,000 keys in all its runs.',
  unreadable: 'Write one key per line.',
  onSale: 'Every unused key is still on sale. You can download them once the drop has ended.',
  onSaleAgain: 'Auto-renew will sell these keys in the next run. Turn auto-renew off to download them.',
  keepOut: "Don't relaunch with keys that you use elsewhere.",
  downloadUnused: 'Download unused keys',
} as const

/** Returns the texts about a problem with one line of a list of keys. They never repeat the key. */
export function keyProblems(line: number) {
  const at = `Line ${formatCount(line)}`
  return {
    tooLong: (length: number) => `${at} has ${formatCount(length)} characters. A key can have up to 100.`,
    emoji: `${at} has an emoji. Please use letters, digits and symbols that everyone can type.`,
    invisible: `${at} has a tab or a character that nobody can see. Please remove it.`,
    alike: (first: number) => `${at} is the same as line ${formatCount(first)}. Each key can be listed once.`,
    known: `${at} is already a key of this drop. Each key can be listed once.`,
  }
}

/** Returns the text for a new run with more units than keys. */
export function tooFewKeysText(left: number): string {
  if (left === 0) return 'No keys are left. Add keys to relaunch this drop.'
  return `You have ${formatCount(left)} ${left === 1 ? 'key' : 'keys'} left. Add keys, or set a quantity of at most ${formatCount(left)}.`
}

/** Formats a number of keys: "1 key" or "3 keys". */
export function countedText(keys: number): string {
  return keys === 1 ? '1 key' : `${formatCount(keys)} keys`
}
