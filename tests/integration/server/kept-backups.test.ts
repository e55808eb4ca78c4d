import { lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runNode } from '@/tests/support/run-node'

const dataDir = mkdtempSync(path.join(tmpdir(), 'lastcall-kept-'))
const backups = path.join(dataDir, 'backups')
const backUp = (...words: string[]) =>
  runNode(['scripts/backup.mjs', ...words], { NODE_ENV: 'production', DATA_DIR: dataDir })

const otherDisk = mkdtempSync(path.join(tmpdir(), 'lastcall-disk-'))

afterAll(() => {
  for (const folder of [dataDir, otherDisk]) rmSync(folder, { recursive: true, force: true })
})

it('npm run backup --keep 2 leaves the new backup, the newest old one, and every other folder', async () => {
  const old = ['2026-01-01T03-15-00', '2026-01-02T03-15-00', '2026-01-03T03-15-00']
  for (const name of [...old, 'before-2026-01-01T00-00-00', 'mine'])
    mkdirSync(path.join(backups, name), { recursive: true })
  for (const name of old) writeFileSync(path.join(backups, name, 'manifest.json'), '{}')
  // These were killed before they were finished. The first one is older than all that stay.
  const [unfinished, later] = ['2026-01-01T12-00-00', '2026-01-03T12-00-00']
  for (const name of [unfinished, later]) mkdirSync(path.join(backups, name))
  const { code, stdout } = await backUp('--keep', '2')
  expect(code).toBe(0)
  expect(stdout).toContain(`Deleted older backups: ${old[0]}, ${unfinished}, ${old[1]}`)
  rmSync(path.join(backups, later), { recursive: true })
  const left = readdirSync(backups).toSorted()
  expect(left).toHaveLength(4)
  expect(left).toEqual(expect.arrayContaining([old[2], 'before-2026-01-01T00-00-00', 'mine']))
  // A backup is named after the second in which it began, so the next backup could have the same name.
  const made = left.find((name) => !['mine', 'before-2026-01-01T00-00-00', old[2]].includes(name)) ?? ''
  renameSync(path.join(backups, made), path.join(backups, '2026-01-04T03-15-00'))
  // Without the option nothing is deleted.
  expect((await backUp()).code).toBe(0)
  expect(readdirSync(backups)).toHaveLength(5)
})

it('npm run backup copies the files of a folder on another disk, and leaves out a link that leads nowhere', async () => {
  writeFileSync(path.join(otherDisk, 'photo.webp'), 'photo')
  symlinkSync(otherDisk, path.join(dataDir, 'uploads'))
  symlinkSync(path.join(otherDisk, 'gone'), path.join(otherDisk, 'nothing'))
  // The backup is on the same disk, so it must not be copied into itself.
  const folder = path.join(otherDisk, 'backup')
  expect((await backUp(folder)).code).toBe(0)
  expect(lstatSync(path.join(folder, 'files', 'uploads', 'photo.webp')).isFile()).toBe(true)
  expect(readdirSync(path.join(folder, 'files', 'uploads')).toSorted()).toEqual(['backup', 'photo.webp'])
})

it.each([[['--keep', '0']], [['--keep', 'two']], [['--keep']], [['--keep', '2', 'folder']], [['one', 'two']]])(
  'npm run backup refuses %j in one line and deletes nothing',
  async (words) => {
    const before = readdirSync(backups)
    const { code, stderr } = await backUp(...words)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Usage: npm run backup [^\n]*\n$/)])
    expect(readdirSync(backups)).toEqual(before)
  },
)
