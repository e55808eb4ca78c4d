type Cell = string | number | null

// A spreadsheet runs a cell that starts like this, some of them also in the full width of East Asian keyboards; what
// strangers typed must not.
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

function escaped(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const text = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as CSV (RFC 4180), safe to open in a spreadsheet. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(escaped).join(',')}\r\n`).join('')
}

/** What a spreadsheet of this country puts between cells: the sign the first line holds most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split(/[\r\n]/, 1)
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

/**
 * Reads CSV as spreadsheets write it: with commas, semicolons or tabs, quoted cells, any line ends, a byte order mark. The
 * apostrophe that toCsv() puts before what looks like a formula is taken off again. Lines without anything are left out.
 * @returns rows with the line of the file they begin at; cells are trimmed. `isUnclosed`: a quotation mark of it is never closed, and
 *   has swallowed the rest of the file.
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
