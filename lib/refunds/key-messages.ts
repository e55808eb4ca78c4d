/** Returns the paragraphs about the units that went back on sale, in the seller's email about a rejected refund. */
export function unitsAgainTexts({ taken, missing }: { taken: number; missing: number }): string[] {
  return [
    ...(taken > 0
      ? [
          taken === 1
            ? 'The unit that went back on sale with this refund is off sale again.'
            : `The ${taken} units that went back on sale with this refund are off sale again.`,
        ]
      : []),
    ...(missing > 0
      ? [
          missing === 1
            ? 'One unit that went back on sale with this refund may have been sold again. Please check whether you can still send this order.'
            : `${missing} units that went back on sale with this refund may have been sold again. Please check whether you can still send this order.`,
        ]
      : []),
  ]
}

/** Returns the paragraphs about the order's keys in the seller's email about a refund that the bank rejected. */
export function keysAgainTexts({ given, restored }: { given: number; restored: number }): string[] {
  return [
    ...(given > 0
      ? [
          given === 1
            ? 'The order is valid again, so we gave it another key in place of the one it lost.'
            : `The order is valid again, so we gave it ${given} other keys in place of the ones it lost.`,
        ]
      : []),
    ...(restored > 0
      ? [
          restored === 1
            ? 'We have no other key left for this order, so its old key is valid again. If you turned that key off, please turn it back on in your system, or send your buyer another one.'
            : `We have no other keys left for this order, so ${restored} of its old keys are valid again. If you turned them off, please turn them back on in your system, or send your buyer others.`,
        ]
      : []),
  ]
}
