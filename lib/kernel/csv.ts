export type Cell = string | number | null

// Spreadsheets run a cell that starts with one of these characters as a formula. Some spreadsheets also accept the
// full-width forms. Text typed by strangers must not run.
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/

// Where the list separator is a semicolon or a tab, a spreadsheet that opens the file splits a cell at it, or at a line
// break, even inside quotation marks, and would run what follows. The sign is optional in the pattern, so that a long
// run of spaces is read only once.
const AFTER_SEPARATOR = /([;\t\r\n][\s"]*)([=+\-@＝＋－＠])?/g
const ADDED_APOSTROPHE = /([;\t\r\n][\s"]*)(?:'(?=[=+\-@＝＋－＠]))?/g

function escaped(cell: Cell): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell)
  const safe = cell.replace(AFTER_SEPARATOR, (_, gap: string, sign?: string) => (sign ? `${gap}'${sign}` : gap))
  const text = FORMULA.test(safe) ? `'${safe}` : safe
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Writes rows as CSV (RFC 4180) that is safe to open in a spreadsheet. */
export function toCsv(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return csvRows([header, ...rows])
}

/** Writes rows of a CSV file without a header, as toCsv() does. */
export function csvRows(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(escaped).join(',')}\r\n`).join('')
}

/** In how many characters at the beginning of a file the separators are counted. */
const HEADER_CHARACTERS = 10_000

/**
 * Returns the separator that is most frequent in the first line, because spreadsheets use different ones in different
 * countries.
 */
function separatorOf(text: string): string {
  const [first = ''] = text.slice(0, HEADER_CHARACTERS).split(/[\r\n]/, 1)
  const count = (separator: string) => first.split(separator).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

/**
 * Reads CSV as spreadsheets write it. It accepts commas, semicolons or tabs, quoted cells, any line ends, and a byte
 * order mark. The apostrophes that toCsv() puts before a possible formula are removed. Rows whose cells are all empty
 * are left out.
 * @param most how many rows are read, also counting empty ones, how many cells of each row are kept, and how many
 *   characters of each cell. Without these limits, a file that someone uploads could keep the process busy for a second.
 * @returns rows with trimmed cells and the line of the file in which they begin. `isUnclosed` means that a quotation
 *   mark in the row is never closed, so the row contains the rest of the file. `isCut` in the last row means that the
 *   file goes on after the rows that were read.
 */
export function parseCsv(
  text: string,
  most = { rows: Infinity, cells: Infinity, characters: Infinity },
): { line: number; cells: string[]; isUnclosed?: true; isCut?: true }[] {
  const source = text.replace(/^\uFEFF/, '')
  const separator = separatorOf(source)
  const rows: ReturnType<typeof parseCsv> = []
  let cells: string[] = []
  let cell = ''
  /**
   * Whether the cell has only spaces so far. Trimming the cell at each mark instead would take minutes in a long cell.
   */
  let isBlank = true
  let isQuoted = false
  let line = 1
  let startedAt = 1
  let ended = 0
  let at = 0
  const endCell = () => {
    isBlank = true
    if (cells.length >= most.cells) {
      cell = ''
      return
    }
    const trimmed = cell.trim()
    const typed = trimmed.startsWith("'") && FORMULA.test(trimmed.slice(1)) ? trimmed.slice(1) : trimmed
    cells.push(typed.replace(ADDED_APOSTROPHE, '$1'))
    cell = ''
  }
  const add = (char: string) => {
    if (cell.length < most.characters) cell += char
    if (isBlank && char.trim() !== '') isBlank = false
  }
  const endRow = () => {
    endCell()
    if (cells.some(Boolean)) rows.push({ line: startedAt, cells })
    cells = []
    startedAt = line
    ended += 1
  }
  for (; at < source.length && ended < most.rows; at += 1) {
    const char = source[at]!
    const isBreak = char === '\n' || (char === '\r' && source[at + 1] !== '\n')
    if (isBreak) line += 1
    if (isQuoted && char === '"' && source[at + 1] === '"') {
      add(char)
      at += 1
    } else if (char === '"' && (isQuoted || isBlank)) isQuoted = !isQuoted
    else if (isQuoted) add(char)
    else if (char === separator) endCell()
    else if (isBreak) endRow()
    else add(char)
  }
  const isCut = at < source.length
  if (!isCut) endRow()
  const last = rows.at(-1)
  if (isQuoted && last) last.isUnclosed = true
  if (isCut && last) last.isCut = true
  return rows
}
