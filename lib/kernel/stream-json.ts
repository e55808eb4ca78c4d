import { streamTexts } from './stream-texts'

/** The rows of a long list, one batch at a time. */
export type Batches = AsyncGenerator<readonly object[], void>

/**
 * Streams a JSON object, indented by two spaces, that has `fields` and then `lists`. The rows of the lists are sent as
 * they are read, so that a long list is never in memory as a whole.
 * @param fields at least one field
 * @param lists yields rows, by the name of the field. When the reader goes away, their `finally` blocks run.
 */
export function streamJson(fields: object, lists: Readonly<Record<string, Batches>>): ReadableStream<Uint8Array> {
  return streamTexts(textsOf(fields, lists))
}

async function* textsOf(fields: object, lists: Readonly<Record<string, Batches>>): AsyncGenerator<string, void> {
  yield JSON.stringify(fields, null, 2).slice(0, -'\n}'.length)
  for (const [name, batches] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let isFirst = true
    for await (const rows of batches) {
      if (rows.length === 0) continue
      yield `${isFirst ? '' : ','}${rows.map((row) => `\n    ${indented(row)}`).join(',')}`
      isFirst = false
    }
    yield isFirst ? ']' : '\n  ]'
  }
  yield '\n}'
}

/** JSON has no line break inside of a string, so every line break is one between two parts of the row. */
const indented = (row: object) => JSON.stringify(row, null, 2).replaceAll('\n', '\n    ')
