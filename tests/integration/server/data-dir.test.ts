import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { localDisk } from '@/lib/infra/storage/local-disk'
import { runNode } from '@/tests/support/run-node'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-private-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8)
const createDataDir = (dataDir: string) =>
  runNode(
    [
      '--input-type=module',
      '-e',
      `import { createDataDir } from './scripts/environment.mjs'
       import { reportFailure } from './scripts/report-failure.mjs'
       try { createDataDir(${JSON.stringify(dataDir)}) } catch (error) { reportFailure(error) }`,
    ],
    {},
  )

it('is closed to the other users of the machine, also when an earlier version left it open', async () => {
  const dataDir = path.join(folder, 'data')
  mkdirSync(path.join(dataDir, 'uploads'), { recursive: true })
  writeFileSync(path.join(dataDir, 'secrets.json'), '{}')
  chmodSync(dataDir, 0o755)
  chmodSync(path.join(dataDir, 'uploads'), 0o755)
  chmodSync(path.join(dataDir, 'secrets.json'), 0o644)
  expect(await createDataDir(dataDir)).toEqual({ code: 0, stdout: '', stderr: '' })
  // The group may pass through, because Postgres runs in that group when the start runs as root.
  expect(modeOf(dataDir)).toBe('710')
  expect(modeOf(path.join(dataDir, 'uploads'))).toBe('700')
  expect(modeOf(path.join(dataDir, 'secrets.json'))).toBe('600')
  const fresh = path.join(folder, 'fresh')
  await createDataDir(fresh)
  expect(modeOf(fresh)).toBe('700')
})

it('holds files that only their owner may read', async () => {
  const uploads = path.join(folder, 'fresh', 'uploads')
  await localDisk(uploads).put('files/paid.pdf', Buffer.from('paid for'))
  expect(modeOf(uploads)).toBe('700')
  expect(modeOf(path.join(uploads, 'files', 'paid.pdf'))).toBe('600')
})

it('is refused in one line when it cannot be written to', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await createDataDir(path.join(file, 'data'))
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR is .*it cannot be written to.*\n$/)])
})

it('a full disk is reported in one line', async () => {
  const { code, stderr } = await runNode(
    [
      '--input-type=module',
      '-e',
      `import { reportFailure } from './scripts/report-failure.mjs'
       reportFailure(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }))`,
    ],
    {},
  )
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^The disk is full: free some space and start again\..*\n$/),
  ])
})
