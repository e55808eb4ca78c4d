import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { isStorageUnavailable } from './driver'
import { localDisk } from './local-disk'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-storage-'))
const disk = localDisk(path.join(folder, 'uploads'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = async (key: string, range?: { start: number; end: number }) => {
  const object = await disk.open(key, range)
  return object && { ...object, body: Buffer.from(await new Response(object.body).arrayBuffer()) }
}

it('returns what was stored, with its type and size', async () => {
  await disk.put('files/a.pdf', Buffer.from('0123456789'))
  expect(await read('files/a.pdf')).toEqual({
    body: Buffer.from('0123456789'),
    bytes: 10,
    size: 10,
    contentType: 'application/pdf',
  })
})

test.each([
  [{ start: 2, end: 4 }, '234'],
  [{ start: 9, end: 9 }, '9'],
  [{ start: 7, end: 1_000 }, '789'],
  [{ start: 10, end: 20 }, ''],
])('returns the bytes of the range %j', async (range, text) => {
  await disk.put('files/range.zip', Buffer.from('0123456789'))
  expect(await read('files/range.zip', range)).toMatchObject({ body: Buffer.from(text), bytes: text.length, size: 10 })
})

it('moves a file into the storage', async () => {
  const bytes = randomBytes(3_000_000)
  const source = path.join(folder, 'received')
  writeFileSync(source, bytes)
  await disk.adopt('files/b.mp4', source)
  expect(existsSync(source)).toBe(false)
  const taken = await read('files/b.mp4')
  expect(createHash('sha256').update(taken!.body).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
})

it('opens a file only when its bytes are read, and closes it afterwards', async () => {
  await disk.put('files/large.zip', randomBytes(400_000))
  const openFiles = () => readdirSync('/proc/self/fd').length
  const before = openFiles()
  const unread = await Promise.all(Array.from({ length: 100 }, () => disk.open('files/large.zip')))
  expect(openFiles() - before).toBeLessThan(20)
  const readers = unread.map((object) => object!.body.getReader())
  await Promise.all(readers.map((reader) => reader.read()))
  expect(openFiles() - before).toBeGreaterThanOrEqual(100)
  await Promise.all(readers.map((reader) => reader.cancel()))
  expect((await read('files/large.zip'))!.body).toHaveLength(400_000)
  expect(openFiles() - before).toBeLessThan(20)
})

it('a reader gets an error when the file has become shorter', async () => {
  await disk.put('files/cut.zip', randomBytes(200_000))
  const object = await disk.open('files/cut.zip')
  writeFileSync(path.join(folder, 'uploads', 'files', 'cut.zip'), 'short')
  await expect(new Response(object!.body).arrayBuffer()).rejects.toThrow('the file became shorter while it was read')
})

it('removes an object, and accepts the removal of a missing object', async () => {
  await disk.put('files/c.png', Buffer.from('x'))
  await disk.remove('files/c.png')
  await disk.remove('files/c.png')
  expect(await disk.open('files/c.png')).toBeNull()
})

it('removes unfinished objects that have not changed since the given time', async () => {
  const unfinished = path.join(folder, 'uploads', '.unfinished')
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(path.join(unfinished, 'part_x'), 'half')
  await disk.removeUnfinished(new Date(Date.now() - 60_000))
  expect(readdirSync(unfinished)).toEqual(['part_x'])
  await disk.removeUnfinished(new Date(Date.now() + 60_000))
  expect(readdirSync(unfinished)).toEqual([])
})

test.each(['../secrets.json', 'files/../../secrets', 'files/a/b', '/etc/passwd', 'files/.hidden', ''])(
  'refuses the invalid key %j',
  async (key) => {
    expect(await disk.open(key)).toBeNull()
    await expect(disk.put(key, Buffer.from('x'))).rejects.toThrow('not a storage key')
  },
)

test('a full disk counts as an unavailable storage, and a missing file does not', () => {
  const errorOf = (call: () => void): unknown => {
    try {
      call()
    } catch (error) {
      return error
    }
    throw new Error('the call did not fail')
  }
  // Every write to this device fails as on a full disk.
  expect(isStorageUnavailable(errorOf(() => writeFileSync('/dev/full', 'x')))).toBe(true)
  expect(isStorageUnavailable(errorOf(() => readdirSync(path.join(folder, 'missing'))))).toBe(false)
})
