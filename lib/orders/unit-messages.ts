type Units = { quantity: number; unitsLeft: number }

/**
 * Says before a title how many units of an order have to be packed, such as "2 × ". Refunded units do not count, unless
 * all are refunded. The text is empty for one unit.
 */
export function unitsText({ quantity, unitsLeft }: Units): string {
  const units = unitsLeft || quantity
  return quantity > 1 ? `${units} × ` : ''
}

/** Says how many units of an order were refunded: "2 of 3 refunded". */
export function refundedUnitsText({ quantity, unitsLeft }: Units): string {
  return `${quantity - unitsLeft} of ${quantity} refunded`
}
