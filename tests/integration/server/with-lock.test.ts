import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runNode } from '@/tests/support/run-node'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-lock-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const script = `
  import { readdirSync } from 'node:fs'
  import { withLock } from './scripts/with-lock.mjs'
  // Without this limit, the script would wait forever for a lock that is not released.
  setTimeout(() => process.exit(7), 5_000).unref()
  console.log(await withLock('test', async () => readdirSync(process.env.TMPDIR).join()))`
const run = () => runNode(['--input-type=module', '-e', script], { TMPDIR: folder })

it('a lock that is empty, or whose process has ended, does not block other processes', async () => {
  const first = await run()
  expect(first.code).toBe(0)
  const name = first.stdout.trim()
  expect(name).toMatch(/^lastcall-test-\w+\.lock$/)
  for (const left of ['', 'no number', '999999999']) {
    writeFileSync(path.join(folder, name), left)
    expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining(name) as string })
  }
  expect(readdirSync(folder)).toEqual([])
})
