/** Texts about a drop's discount codes for its seller. The drop page uses none of them. */
export const codeTexts = {
  shape: 'A code has 3 to 20 letters, digits or hyphens, like FRIENDS or SPRING-20.',
  percent: 'The percentage must be a whole number from 1 to 90.',
  amount: 'Enter an amount of at least one cent.',
  discountMissing: 'Enter a percentage or an amount, not both.',
  uses: 'Enter a number of orders from 1 to 10,000, or leave the field empty.',
  perBuyer: 'Enter a limit per buyer from 1 to 10, or leave the field empty.',
  endsAt: 'Please choose a date and time.',
  endsInThePast: 'Please choose a time in the future.',
  endsBeforeStart: 'Please choose a time after the start of this drop.',
  tooManyEver: 'A drop can have up to 200 codes in all. Use one of the codes you have.',
  tooManyCodes: 'A drop can have up to 20 codes at a time. Use an existing code, or end one first.',
  taken: 'This drop already has that code. Please choose another one.',
  tooCheap: 'This price is too low for a code. A card payment has to be at least $0.50.',
  ended: 'This code has already ended.',
  priceBelowCode: 'This price is too low for one of your codes. End the code first, or choose a higher price.',
  deadAtStart: 'One of your codes ends before this start. End the code first, or choose an earlier start.',
  notFound: "We can't find this code.",
} as const

export const codeToasts = {
  created: { title: 'Code created' },
  ended: { title: 'Code ended', description: 'Anyone already checking out keeps the lower price.' },
  endFailed: { title: "Couldn't end the code" },
} as const

/** Returns the refusal of a start at which a code would already have ended. */
export function endsBeforeStartText(code: string): string {
  return `Your code ${code} ends before this start. End the code first, or choose an earlier start.`
}

/** Returns the text for a discount that would make the price too low for a card payment. */
export function belowLeastText(highest: { percent: number; offCents: number }, kind: 'percent' | 'offCents'): string {
  const most = kind === 'percent' ? `${highest.percent}%` : `$${(highest.offCents / 100).toFixed(2)}`
  return `Please take off at most ${most}. A card payment has to be at least $0.50.`
}
