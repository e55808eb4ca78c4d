import { type Cell, csvRows } from './csv'

/**
 * Streams a CSV file. Rows are sent as they are read, so that a long list is never in memory as a whole. The file
 * begins with a byte order mark, without which spreadsheets do not recognize UTF-8 and garble names with accents.
 * @param batches yields rows. When the reader goes away, its `finally` blocks run.
 */
export function streamCsv(
  header: readonly string[],
  batches: AsyncGenerator<readonly (readonly Cell[])[], void>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`\uFEFF${csvRows([header])}`))
    },
    async pull(controller) {
      const { value, done } = await batches.next()
      if (done) return controller.close()
      controller.enqueue(encoder.encode(csvRows(value)))
    },
    async cancel() {
      await batches.return()
    },
  })
}
