/**
 * Writes a text that one of our scripts may have changed before hydration (ADR 0060). React assumes that the HTML
 * contains the text that it rendered, and would not correct a wrong one. Call this in the `ref` of the element that has
 * the text.
 */
export function writeText(element: Element | null, text: string): void {
  const node = element?.firstChild
  if (node instanceof Text && node.data !== text) node.data = text
}
