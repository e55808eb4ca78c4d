import { formatCount } from '@/lib/kernel/format-count'

/** Texts about a drop's option and its values. They are in their own file because the drop page needs none of them. */
export const optionTexts = {
  nameMissing: 'Name what buyers choose, like Size or Color.',
  nameTooLong: 'Please keep the name of the choice to 20 characters.',
  nameEmoji: "Please name the choice without emoji. Packing slips can't print them.",
  missing: 'Add each choice with its units, like “S 5, M 10, L 5”.',
  tooMany: 'A drop can have up to 12 choices. Remove some to continue.',
  unreadable: 'Write each choice with its units, like “S 5, M 10, L 5”.',
  noUnitsAtAll: 'At least one choice needs units.',
  tooManyUnits: 'Your choices add up to more than 1,000,000 units. Please lower one of them.',
  tooAlike: 'Two of your choices differ only in the case of their letters. Please rename one.',
  fixedValues:
    "After the first sale, and while followers buy early, you can raise the units of each choice. You can't add, rename or remove choices.",
  noOption: 'This drop has no choices. Change its quantity instead.',
  sumOfValues: "This drop's quantity is the sum of its choices. Raise the units of a choice instead.",
} as const

/** The texts about the choices of an open edition, which have no units of their own. */
export const openOptionTexts = {
  label: 'Choices',
  hint: "Up to 12, all at the same price. An open edition makes as many of each as people order, so don't add units.",
  example: 'S, M, L, XL',
  editHint: 'Up to 12, such as “S, M, L”. Leave this empty to sell without choices.',
  liveHint: 'You can change, add and remove choices until the first sale.',
  missing: 'Add each choice, like “S, M, L”.',
  unreadable: 'Write only the names of the choices, like “S, M, L”.',
  fixedValues: "After the first sale, the choices of an open edition can't change anymore.",
  noOption: "This open edition has no choices, and you can't add any after its start.",
} as const

/** Returns the texts about problems with one value that a seller wrote. */
export function valueProblems(value: string) {
  return {
    alike: `“${value}” is listed twice. Each choice can be listed once.`,
    tooLong: `“${value}” is too long. Please keep each choice to 30 characters.`,
    signs: `Please write “${value}” without commas, semicolons, or symbols at its start or end.`,
    invisible: `“${value}” has a character that can't be seen. Please type it again.`,
    emoji: `“${value}” has an emoji. Please use letters and digits, because packing slips can't print emoji.`,
    withoutUnits: `How many “${value}” do you have? Write it like “${value} 5”.`,
    withUnits: (units: number) =>
      `Choices of an open edition have no units. Write “${value}” without the ${units}, or “${value}-${units}” if the number is part of its name.`,
    noUnits: `“${value}” needs at least 1 unit.`,
    lower: `You can only increase the units of “${value}”.`,
    taken: (units: number) =>
      `“${value}” can't go below ${formatCount(units)}, because ${units === 1 ? 'that one is' : 'those are'} sold or in checkout.`,
    unknown: `This drop has no “${value}”. Please use the choices that buyers saw.`,
    removed: `“${value}” is in someone's checkout right now, so it has to stay. Please try again in a few minutes.`,
  }
}
