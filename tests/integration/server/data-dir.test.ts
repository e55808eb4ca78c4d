import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
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
      `import { createDataDir } from './scripts/load-environment.mjs'
       import { reportFailure } from './scripts/report-failure.mjs'
       try { createDataDir(${JSON.stringify(dataDir)}) } catch (error) { reportFailure(error) }`,
    ],
    {},
  )

it('the data folder is closed to the other users of the machine, even when an earlier version left it open', async () => {
  const dataDir = path.join(folder, 'data')
  mkdirSync(path.join(dataDir, 'uploads'), { recursive: true })
  writeFileSync(path.join(dataDir, 'secrets.json'), '{}')
  chmodSync(dataDir, 0o755)
  chmodSync(path.join(dataDir, 'uploads'), 0o755)
  chmodSync(path.join(dataDir, 'secrets.json'), 0o644)
  expect(await createDataDir(dataDir)).toEqual({ code: 0, stdout: '', stderr: '' })
  // The folder keeps its group's permission to enter, because Postgres runs in that group when `npm start` runs as
  // root.
  expect(modeOf(dataDir)).toBe('710')
  expect(modeOf(path.join(dataDir, 'uploads'))).toBe('700')
  expect(modeOf(path.join(dataDir, 'secrets.json'))).toBe('600')
  const fresh = path.join(folder, 'fresh')
  await createDataDir(fresh)
  expect(modeOf(fresh)).toBe('700')
})

it('files in the data folder can be read only by their owner', async () => {
  const uploads = path.join(folder, 'fresh', 'uploads')
  await localDisk(uploads).put('files/paid.pdf', Buffer.from('paid for'))
  expect(modeOf(uploads)).toBe('700')
  expect(modeOf(path.join(uploads, 'files', 'paid.pdf'))).toBe('600')
})

it('a data folder that cannot be written to is refused in one line', async () => {
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const { code, stderr } = await createDataDir(path.join(file, 'data'))
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR is .*it cannot be written to.*\n$/)])
})

it('a full disk is reported in one line, and no file stays behind in the data folder', async () => {
  const full = path.join(folder, 'full')
  mkdirSync(full)
  // Simulates a full disk: the file is created, but writing its content fails.
  const code = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const write = fs.writeFileSync
    fs.writeFileSync = (file) => {
      write(file, '')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    syncBuiltinESMExports()
    const { createDataDir } = await import('./scripts/load-environment.mjs')
    const { reportFailure } = await import('./scripts/report-failure.mjs')
    try { createDataDir(${JSON.stringify(full)}) } catch (error) { reportFailure(error) }`
  const ended = await runNode(['--input-type=module', '-e', code], {})
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^DATA_DIR is .*: its disk is full\. .*\n$/) })
  expect(readdirSync(full)).toEqual([])
})

it('a private file stays as it was, and no temporary file stays behind, when the disk is full', async () => {
  const file = path.join(folder, 'settings')
  writeFileSync(file, 'before')
  // The temporary file is created, but writing its content fails.
  const code = `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const write = fs.writeFileSync
    fs.writeFileSync = (file) => {
      write(file, '')
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    syncBuiltinESMExports()
    const { writePrivate } = await import('./scripts/load-environment.mjs')
    const { reportFailure } = await import('./scripts/report-failure.mjs')
    try { writePrivate(${JSON.stringify(file)}, 'after') } catch (error) { reportFailure(error) }`
  const ended = await runNode(['--input-type=module', '-e', code], {})
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The disk is full: .*\n$/) as string })
  expect(readdirSync(folder).filter((name) => name.startsWith('settings'))).toEqual(['settings'])
  expect(readFileSync(file, 'utf8')).toBe('before')
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
