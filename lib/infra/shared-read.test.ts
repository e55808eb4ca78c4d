import { sharedRead } from './shared-read'

/** A read whose runs end when the test says so. */
function createRead() {
  const runs: { end: (value: string) => void; fail: (error: Error) => void }[] = []
  const read = () =>
    new Promise<string>((resolve, reject) => {
      runs.push({ end: resolve, fail: reject })
    })
  return { runs, read }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('callers that come during a read share the next one, which begins after their call', async () => {
  const { runs, read } = createRead()
  const first = sharedRead('a', read)
  const later = [sharedRead('a', read), sharedRead('a', read)]
  expect(runs).toHaveLength(1)
  runs[0]?.end('old')
  expect(await first).toBe('old')
  await turn()
  expect(runs).toHaveLength(2)
  runs[1]?.end('new')
  expect(await Promise.all(later)).toEqual(['new', 'new'])
})

test('a caller that comes while the next read runs gets a third one', async () => {
  const { runs, read } = createRead()
  const first = sharedRead('b', read)
  const second = sharedRead('b', read)
  runs[0]?.end('1')
  await first
  await turn()
  const third = sharedRead('b', read)
  runs[1]?.end('2')
  expect(await second).toBe('2')
  await turn()
  runs[2]?.end('3')
  expect(await third).toBe('3')
})

test('a failed read fails for those who share it, and the next caller reads again', async () => {
  const { runs, read } = createRead()
  const first = sharedRead('c', read)
  const second = sharedRead('c', read)
  runs[0]?.fail(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  runs[1]?.end('found')
  expect(await second).toBe('found')
  await turn()
  const third = sharedRead('c', read)
  expect(runs).toHaveLength(3)
  runs[2]?.end('again')
  expect(await third).toBe('again')
})

test('reads with different keys do not wait for each other', async () => {
  const one = createRead()
  const other = createRead()
  const first = sharedRead('d', one.read)
  const second = sharedRead('e', other.read)
  other.runs[0]?.end('e')
  expect(await second).toBe('e')
  one.runs[0]?.end('d')
  expect(await first).toBe('d')
})
