// How the figures are shown: plain columns, the same width for every row.

/**
 * @param {string[]} head
 * @param {(string | number)[][]} rows
 */
export function formatTable(head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column].length)))
  const format = (line) =>
    line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')
  return [format(lines[0]), widths.map((width) => '─'.repeat(width)).join('  '), ...lines.slice(1).map(format)].join(
    '\n',
  )
}

/**
 * A number for reading: three digits that count, thousands apart; "–" for what was not measured.
 * @param {number | undefined} value
 */
export function figure(value) {
  if (value === undefined || !Number.isFinite(value)) return '–'
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}
