/** Returns the paragraphs about the order's keys in the seller's email about a refund that the bank rejected. */
export function keysAgainTexts({ given, restored }: { given: number; restored: number }): string[] {
  return [
    ...(given > 0 ? ['The order is valid again, so we gave it another key in place of the one it lost.'] : []),
    ...(restored > 0
      ? [
          'The order is valid again, and no other key is left. A key that you marked as void counts as valid again. Please turn it on in your system, or send your buyer another one.',
        ]
      : []),
  ]
}
