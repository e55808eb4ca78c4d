import { type Batches, streamJson } from './stream-json'

async function* batchesOf(...batches: object[][]): Batches {
  for (const batch of batches) yield batch
}

test('streamJson() writes what JSON.stringify() writes', async () => {
  const rows = [{ id: 1, text: 'two\nlines, "quoted"' }, { id: 2, parts: [{ a: null }], none: [] }, { id: 3 }]
  const text = await new Response(
    streamJson(
      { at: 'now', drops: [{ id: 7 }] },
      {
        orders: batchesOf(rows.slice(0, 2), [], rows.slice(2)),
        followers: batchesOf(),
        codes: batchesOf([]),
      },
    ),
  ).text()
  const whole = { at: 'now', drops: [{ id: 7 }], orders: rows, followers: [], codes: [] }
  expect(text).toBe(JSON.stringify(whole, null, 2))
})

test('streamJson() ends the list that is being read when the reader goes away', async () => {
  let isEnded = false
  async function* endless(): Batches {
    try {
      for (;;) yield [{ id: 1 }]
    } finally {
      isEnded = true
    }
  }
  const reader = streamJson({ a: 1 }, { orders: endless() }).getReader()
  for (let part = 0; part < 4; part += 1) await reader.read()
  await reader.cancel()
  expect(isEnded).toBe(true)
})
