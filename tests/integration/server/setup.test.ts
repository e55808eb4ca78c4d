import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { readEnvironment } from '@/lib/infra/env-rules.mjs'
import { addSecrets } from '@/scripts/add-secrets.mjs'
import { askSettings } from '@/scripts/ask-settings.mjs'
import { runNode } from '@/tests/support/run-node'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-setup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = path.join(folder, '.env')
const setUp = (...flags: string[]) => runNode(['scripts/setup.mjs', '--file', file, '--yes', ...flags], {})
const read = () => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>

// The tests of the command run in order, because they all use the same file.
it('setup writes the given settings and creates the secrets', async () => {
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

it('setup without settings does not change a complete file', async () => {
  const before = readFileSync(file, 'utf8')
  expect(await setUp()).toMatchObject({ code: 0, stdout: expect.stringContaining('has everything') as string })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it('setup keeps existing settings unless --replace is given, and keeps the operator’s own lines', async () => {
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
    /^STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET, \w+ are missing.*\nNothing was written/,
  ],
  ['an unknown flag', ['--color', 'red'], /Unknown option '--color'/],
])('%s writes nothing', async (_name, flags, words) => {
  const before = readFileSync(file, 'utf8')
  expect(await setUp(...flags)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(words) as string })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

it('after the setup of a trial, live keys still require MAIL_FROM', async () => {
  const trial = path.join(folder, 'trial.env')
  const setUpTrial = (...flags: string[]) => runNode(['scripts/setup.mjs', '--file', trial, '--yes', ...flags], {})
  expect((await setUpTrial('--app-url', 'https://drops.example')).code).toBe(0)
  const live = ['--stripe-secret-key', 'sk_live_1', '--next-public-stripe-publishable-key', 'pk_live_1']
  const secrets = ['--stripe-webhook-secret', 'whsec_1', '--stripe-connect-webhook-secret', 'whsec_2']
  expect(await setUpTrial(...live, ...secrets)).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^MAIL_FROM is missing: .*\nNothing was written\.\n$/) as string,
  })
})

describe('the questions', () => {
  type Answers = Record<string, string | string[]>
  const keys = (mode: 'test' | 'live') => ({
    STRIPE_SECRET_KEY: `sk_${mode}_1`,
    NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: `pk_${mode}_1`,
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_2',
  })
  const open = { APP_URL: 'https://drops.example', ADMIN_EMAIL: 'boss@drops.example', TRUSTED_PROXY_HOPS: '1' }
  const token = Buffer.from(JSON.stringify({ apiKey: 'sk_1', appId: 'app', regions: ['fra1'] })).toString('base64')

  /**
   * Answers the questions as an operator does. A list has the answers to a question that is repeated. A question
   * without an entry gets an empty answer.
   */
  async function answer(answers: Answers) {
    const values: Record<string, string | undefined> = {}
    const asked: string[] = []
    const reported: string[] = []
    const reply = (question: string) => {
      const [, name = ''] = /\n {2}(\w+): $/.exec(question) ?? []
      asked.push(name)
      if (asked.length > 60) throw new Error(`the questions do not end: ${reported.at(-1)}`)
      const given = answers[name] ?? ''
      const turn = asked.filter((one) => one === name).length - 1
      return Promise.resolve(typeof given === 'string' ? given : (given[turn] ?? ''))
    }
    await askSettings(values, reply, (problem) => reported.push(problem))
    addSecrets(values)
    return { values, asked, reported, problems: readEnvironment(values).problems }
  }

  it.each<[string, Answers]>([
    ['no answers', {}],
    ['a sandbox that is open to everyone', { ...open, ALLOW_SANDBOX_PAYMENTS: '1' }],
    ['test keys', { ...open, ...keys('test') }],
    ['live keys but no mail server', { ...open, ...keys('live'), MAIL_FROM: 'Drops <hello@drops.example>' }],
    [
      'an answer to every question that applies',
      {
        ...open,
        ...keys('live'),
        DATABASE_URL: 'postgresql://a:b@pooler.example/shop?pgbouncer=true',
        DIRECT_DATABASE_URL: 'postgresql://a:b@db.example/shop',
        READ_DATABASE_URL: 'postgresql://a:b@replica.example/shop',
        SMTP_URL: 'smtp://mail.example',
        MAIL_FROM: 'Drops <hello@drops.example>',
        UPLOADTHING_TOKEN: token,
        BRAND_NAME: 'Drops',
        SUPPORT_EMAIL: 'help@drops.example',
        PRIVACY_EMAIL: 'data@drops.example',
        LEGAL_EMAIL: 'legal@drops.example',
        LEGAL_NAME: 'Drops Inc.',
        LEGAL_ADDRESS: '1 Main Street, Springfield',
      },
    ],
  ])('lead to a valid environment with %s', async (_name, answers) => {
    const { values, asked, reported, problems } = await answer(answers)
    expect([reported, problems]).toEqual([[], []])
    expect(values).toMatchObject(answers)
    expect(new Set(asked).size).toBe(asked.length)
  })

  it('are asked only where they apply', async () => {
    expect((await answer({})).asked).toEqual(['APP_URL', 'DATABASE_URL', 'ADMIN_EMAIL'])
    expect((await answer({ ...open, ...keys('test') })).asked).not.toContain('ALLOW_SANDBOX_PAYMENTS')
    expect((await answer(open)).asked).not.toContain('MAIL_FROM')
  })

  it('are asked again when an answer is refused, or when a required answer is missing', async () => {
    const { values, reported, problems } = await answer({
      ...open,
      ...keys('live'),
      APP_URL: ['drops.example', 'https://drops.example/shop', 'https://drops.example'],
      NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: ['pk_test_1', 'pk_live_1'],
      STRIPE_CONNECT_WEBHOOK_SECRET: ['', 'whsec_2'],
      MAIL_FROM: ['', 'Drops <hello@drops.example>'],
    })
    expect(problems).toEqual([])
    expect(values).toMatchObject({ APP_URL: 'https://drops.example', NEXT_PUBLIC_STRIPE_PUBLISHABLE_KEY: 'pk_live_1' })
    expect(reported.map((problem) => problem.split(' ')[0])).toEqual([
      'APP_URL',
      'APP_URL',
      'STRIPE_SECRET_KEY',
      'STRIPE_CONNECT_WEBHOOK_SECRET',
      'MAIL_FROM',
    ])
  })
})
