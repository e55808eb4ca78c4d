/** The units of a drop: all of them, those sold, and those held for buyers who are paying. */
export type Stock = { quantity: number; sold: number; held: number }

/** How many units nobody has bought and nobody is paying for. */
export function freeUnits({ quantity, sold, held }: Stock): number {
  return Math.max(0, quantity - sold - held)
}

/** How many units nobody has bought, also when somebody is paying for them at the moment. */
export function unsoldUnits({ quantity, sold }: Pick<Stock, 'quantity' | 'sold'>): number {
  return Math.max(0, quantity - sold)
}
