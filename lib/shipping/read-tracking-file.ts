import 'server-only'
import { parseCsv } from '@/lib/kernel/csv'
import { shippingError } from './messages'
import { trackingText } from './schema'

/** One line of a file with tracking numbers. */
export type TrackingRow = {
  line: number
  order: string
  /** null when the file has no such column. The order's carrier then stays unchanged. */
  carrier: string | null
  trackingNumber: string
  /** What is wrong with this line. */
  problem: string | null
}

/** How many lines a file may have after its header, also counting empty ones. */
const MAX_ROWS = 5_000
/**
 * What is read of a file. The limits are far above those of an order, a carrier and a tracking number, so that a longer
 * text is still reported as too long.
 */
const READ = { rows: MAX_ROWS + 1, cells: 100, characters: 1_000 }

/** The names that the columns have in our own export and in files from other common tools. */
const COLUMNS = {
  order: ['order', 'order id', 'order number', 'reference'],
  carrier: ['carrier', 'courier', 'shipping carrier', 'service'],
  trackingNumber: ['tracking number', 'tracking', 'tracking code', 'tracking no', 'tracking id'],
} as const

const nameOf = (cell: string) =>
  cell
    .toLowerCase()
    .replace(/[_\s.-]+/g, ' ')
    .trim()

/**
 * Reads a file with tracking numbers: our own orders export with the numbers filled in, or any file with these columns.
 * Lines without a tracking number are skipped, because their orders were not shipped yet.
 * @throws NO_COLUMNS, TOO_MANY_ROWS
 */
export function readTrackingFile(csv: string): TrackingRow[] {
  // Postgres cannot store NUL in text, and nobody types it.
  const [header, ...lines] = parseCsv(csv.replaceAll('\0', '').trimEnd(), READ)
  const names = header?.cells.map(nameOf) ?? []
  const columnOf = (key: keyof typeof COLUMNS) =>
    names.findIndex((name) => COLUMNS[key].some((known) => known === name))
  const [order, carrier, trackingNumber] = [columnOf('order'), columnOf('carrier'), columnOf('trackingNumber')]
  if (order < 0 || trackingNumber < 0) throw shippingError('NO_COLUMNS')
  if ((lines.at(-1) ?? header)?.isCut) throw shippingError('TOO_MANY_ROWS')
  const rows = lines
    .map(({ line, cells, isUnclosed = false }) => ({
      line,
      order: (cells[order] ?? '').replace(/^#/, ''),
      carrier: carrier < 0 ? null : (cells[carrier] ?? ''),
      trackingNumber: cells[trackingNumber] ?? '',
      isUnclosed,
    }))
    .filter((row) => row.trackingNumber !== '' || row.isUnclosed)
  return rows.map(({ isUnclosed, ...row }) => ({
    ...row,
    problem: isUnclosed
      ? 'A quotation mark is missing at the end of a cell. Please add the mark and try again.'
      : problemOf(row),
  }))
}

function problemOf({ order, carrier, trackingNumber }: Omit<TrackingRow, 'line' | 'problem'>): string | null {
  if (order === '') return 'The order is missing.'
  const isGood = [carrier ?? '', trackingNumber].every((text) => trackingText.safeParse(text).success)
  return isGood ? null : 'Carrier and tracking number must each be one line of at most 80 characters.'
}
