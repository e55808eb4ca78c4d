/**
 * Formats rows as plain text in columns. The first column is aligned to the left, and the others to the right.
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 * @returns {string}
 */
export function formatTable(head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const pad = (/** @type {string} */ cell, /** @type {number} */ column) =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  const [first, ...others] = lines.map((line) => line.map(pad).join('  '))
  return [first, widths.map((width) => '─'.repeat(width)).join('  '), ...others].join('\n')
}

/**
 * Formats a number for people to read, with at most two decimals and with commas between thousands. Returns "–" for a
 * figure that was not measured.
 * @param {number | undefined} value
 */
export function figure(value) {
  if (value === undefined || !Number.isFinite(value)) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
