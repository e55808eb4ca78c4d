/**
 * Streams texts as UTF-8. Each text is produced only when the reader wants more, so that a long file is never in memory
 * as a whole.
 * @param texts yields the parts of the file. When the reader goes away, its `finally` blocks run.
 */
export function streamTexts(texts: AsyncGenerator<string, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await texts.next()
      if (done) return controller.close()
      controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await texts.return()
    },
  })
}
