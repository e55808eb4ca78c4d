import 'server-only'
import type { Db } from '@/lib/infra/db'
import { streamCsv } from '@/lib/kernel/stream-csv'
import { walkPayoutLines } from './queries'
import { STATEMENT_COLUMNS, toStatementCells } from './view'

/** Streams a seller's statement as CSV: UTF-8, one line per order, amounts in dollars. */
export function streamStatementCsv(db: Db, sellerId: number): ReadableStream<Uint8Array> {
  return streamCsv(STATEMENT_COLUMNS, readRows(db, sellerId))
}

async function* readRows(db: Db, sellerId: number) {
  for await (const lines of walkPayoutLines(db, sellerId)) yield lines.map(toStatementCells)
}
