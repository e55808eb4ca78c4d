import { formatCount } from '@/lib/kernel/format-count'
import { cutText } from '@/lib/kernel/text'

/** The text for a buyer who has not chosen a value: "Please choose a Size." */
export function chooseOptionText(name: string): string {
  return `Please choose a ${name}.`
}

/** The text for a value or an option that the drop does not have. */
export function unknownValueText(value: string, name: string): string {
  return `This drop doesn't come in “${cutText(value, 40)}”. Please choose another ${name}.`
}

/** The texts that say why a value cannot be bought. Each text names the value. */
export function valueTexts(value: string) {
  return {
    soldOut: `${value} is sold out.`,
    inCheckout: `Every remaining ${value} is in someone's checkout. One may free up in a few minutes.`,
    left: (units: number) =>
      `Only ${formatCount(units)} of ${value} ${units === 1 ? 'is' : 'are'} left. Please choose fewer.`,
  }
}
