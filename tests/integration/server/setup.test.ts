import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'
import { runNode } from '@/tests/support/run-node'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = path.join(folder, '.env')
const setUp = (...flags: string[]) => runNode(['scripts/setup.mjs', '--file', file, '--yes', ...flags], {})
const read = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>

// The tests follow one file through its life, in order.
it('writes what was given and makes the secrets', async () => {
  const flags = ['--database-url', 'postgresql://a:b@db.example/shop', '--app-url', 'https://drops.example']
  const mail = ['--smtp-url', 'smtp://mail.example', '--mail-from', 'Drops "of" <hello@drops.example>']
  const { code, stdout } = await setUp(...flags, ...mail, '--admin-email', 'boss@drops.example')
  expect(code).toBe(0)
  const values = read()
  expect(readEnvironment(values).problems).toEqual([])
  expect(values).toMatchObject({ APP_URL: 'https://drops.example', MAIL_FROM: 'Drops "of" <hello@drops.example>' })
  expect(values.AUTH_SECRET?.length).toBeGreaterThanOrEqual(32)
  expect(values.CRON_SECRET?.length).toBeGreaterThanOrEqual(32)
  expect(stdout).toContain(values.ADMIN_PASSWORD)
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
})

it('changes nothing without a reason', async () => {
  const before = readFileSync(file, 'utf8')
  expect(await setUp()).toMatchObject({ code: 0, stdout: expect.stringContaining('has everything') as string })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it('keeps what is there unless it is told to replace it, and keeps the operator’s own lines', async () => {
  writeFileSync(file, `# mine\n${readFileSync(file, 'utf8')}OWN_THING=1\n`)
  const before = readFileSync(file, 'utf8')
  expect(await setUp('--app-url', 'https://other.example')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^APP_URL is set in .* already: add --replace .*\n$/) as string,
  })
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect((await setUp('--app-url', 'https://other.example', '--replace')).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(before.replace('https://drops.example', 'https://other.example'))
})

it.each([
  ['a wrong value', ['--port', 'x', '--replace'], /^PORT is "x".*\nNothing was written\.\n$/],
  [
    'half-set keys',
    ['--stripe-secret-key', 'sk_test_1'],
    /^STRIPE_WEBHOOK_SECRET is missing.*\n(?:.* is missing.*\n)+Nothing was written/,
  ],
  ['an unknown flag', ['--colour', 'red'], /Unknown option '--colour'/],
])('%s writes nothing', async (_name, flags, words) => {
  const before = readFileSync(file, 'utf8')
  expect(await setUp(...flags)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) as string })
  expect(readFileSync(file, 'utf8')).toBe(before)
})
