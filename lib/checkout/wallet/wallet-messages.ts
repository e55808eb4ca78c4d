/**
 * The text for a buyer whose wallet provided details that cannot be used, such as an address. `why` is the text of the
 * field.
 */
export function walletDetailsText(why: string): string {
  return `You weren't charged. ${why} You can change this in your wallet, or buy with a card.`
}

/** The text for a buyer whose payment by wallet was declined. `why` is Stripe's text. */
export function walletDeclinedText(why: string | undefined): string {
  return `You weren't charged. ${why ?? 'Your card was declined.'} You can try another card.`
}
