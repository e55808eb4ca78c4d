import { type Cell, csvRows } from './csv'
import { streamTexts } from './stream-texts'

type Batches = AsyncGenerator<readonly (readonly Cell[])[], void>

/**
 * Streams a CSV file. Rows are sent as they are read, so that a long list is never in memory as a whole. The file
 * begins with a byte order mark, without which spreadsheets do not recognize UTF-8 and garble names with accents.
 * @param batches yields rows. When the reader goes away, its `finally` blocks run.
 */
export function streamCsv(header: readonly string[], batches: Batches): ReadableStream<Uint8Array> {
  return streamTexts(textsOf(header, batches))
}

async function* textsOf(header: readonly string[], batches: Batches): AsyncGenerator<string, void> {
  yield `\uFEFF${csvRows([header])}`
  for await (const rows of batches) yield csvRows(rows)
}
