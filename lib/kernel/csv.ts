type Cell = string | number | null

// Spreadsheets run a cell that starts with one of these as a formula, some of them also in full-width form. Text typed
// by strangers must not run.
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

function escaped(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes rows as CSV (RFC 4180) that is safe to open in a spreadsheet. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(escaped).join(',')}\r\n`).join('')
}

/**
 * The separator of the file, which depends on the country of the spreadsheet: the most frequent one in the first line.
 */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/**
 * Reads CSV as spreadsheets write it: with commas, semicolons or tabs, quoted cells, any line ends, a byte order mark.
 * The apostrophe that toCsv() puts before a possible formula is removed. Empty lines are left out.
 * @returns rows with trimmed cells and the line of the file in which they begin. `isUnclosed`: a quotation mark in the
 * row is never closed, so the row contains the rest of the file.
 */
export function parseCsv(text: string): { line: number; cells: string[]; isUnclosed?: true }[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const rows: ReturnType<typeof parseCsv> = []
  let cells: string[] = []
  let cell = ''
  let isQuoted = false
  let line = 1
  let startedAt = 1
  const endCell = () => {
    const trimmed = cell.trim()
    cells.push(trimmed.startsWith("'") && FORMULA.test(trimmed.slice(1)) ? trimmed.slice(1) : trimmed)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (cells.some(Boolean)) rows.push({ line: startedAt, cells })
    cells = []
    startedAt = line
  }
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]!
    const isBreak = sign === '\n' || (sign === '\r' && source[at + 1] !== '\n')
    if (isBreak) line += 1
    if (isQuoted && sign === '"' && source[at + 1] === '"') {
      cell += sign
      at += 1
    } else if (sign === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted
    else if (isQuoted) cell += sign
    else if (sign === separator) endCell()
    else if (isBreak) endRow()
    else cell += sign
  }
  endRow()
  const last = rows.at(-1)
  if (isQuoted && last) last.isUnclosed = true
  return rows
}
