import { existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runMigrate, runNode } from '@/tests/support/run-node'
import { inDatabase, scratchDatabases } from '@/tests/support/scratch-databases'

// Each command ends with one line that says what to do, and changes nothing, when its database cannot be used.
const own = process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? ''
const createDatabase = scratchDatabases()
const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-unusable-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const backup = path.join(folder, 'backup')
const commands: [name: string, words: string[]][] = [
  ['doctor', ['scripts/doctor.mjs']],
  ['backup', ['scripts/backup.mjs', backup]],
  ['remove-demo', ['scripts/remove-demo.mjs']],
]
const run = (words: string[], env: Record<string, string>) =>
  runNode(words, { DATA_DIR: path.join(folder, 'data'), DIRECT_DATABASE_URL: '', ...env })

const refusal = (words: RegExp) => ({ code: 1, stdout: '', stderr: expect.stringMatching(words) as string })

it.each(commands)('npm run %s refuses a database that is not migrated', async (name, words) => {
  const url = await createDatabase(`unmigrated_${name.replace('-', '_')}`)
  const { port } = new URL(url)
  expect(await run(words, { DATABASE_URL: url })).toEqual(
    refusal(
      new RegExp(
        `^DATABASE_URL: the database at [^\\n]*:${port} [^\\n]* not migrated: run "npm run migrate"[^\\n]*\\n$`,
      ),
    ),
  )
  expect(existsSync(backup)).toBe(false)
})

it.each(commands)('npm run %s names the variable whose password is wrong', async (_name, words) => {
  const wrong = new URL(own)
  wrong.password = 'wrong'
  expect(await run(words, { DATABASE_URL: own, DIRECT_DATABASE_URL: wrong.href })).toEqual(
    refusal(/^DIRECT_DATABASE_URL: the database at [^\n]* it refuses the user or the password[^\n]*\n$/),
  )
  expect(existsSync(backup)).toBe(false)
})

describe('npm run migrate', () => {
  it.each([
    ['that is not a URL', 'shop', /^DATABASE_URL is not a Postgres address: give [^\n]*\n$/],
    ['of another kind of database', 'mysql://a:b@127.0.0.1/shop', /^DATABASE_URL is not a Postgres address[^\n]*\n$/],
    ['with an unknown sslmode', `${own}?sslmode=on`, /^DATABASE_URL has sslmode=on: give one of [^\n]*\n$/],
    ['with verify-ca alone', `${own}?sslmode=verify-ca`, /^DATABASE_URL has [^\n]* add &sslrootcert=[^\n]*\n$/],
  ])('refuses a value %s', async (_name, url, line) => {
    expect(await runMigrate(url)).toEqual(refusal(line))
  })

  it.each([
    [
      'accepts no writes',
      'ALTER DATABASE :name SET default_transaction_read_only = on',
      /it accepts no writes: name the primary/,
    ],
    [
      'lets its user create nothing',
      'REVOKE CREATE ON SCHEMA public FROM public, pg_database_owner',
      /the user may not do this: let it own the database/,
    ],
  ])('refuses a database that %s', async (_name, statement, advice) => {
    const url = await createDatabase(statement.includes('REVOKE') ? 'no_rights' : 'read_only')
    const name = `"${new URL(url).pathname.slice(1)}"`
    await inDatabase(url, (client) => client.query(statement.replace(':name', name)))
    const { code, stdout, stderr } = await runMigrate(url)
    expect([code, stdout, stderr.trimEnd().split('\n').length]).toEqual([1, '', 1])
    expect(stderr).toMatch(advice)
  })

  it('reads .env when the shell sets no database URL', async () => {
    for (const name of ['prisma', 'lib', 'node_modules']) symlinkSync(path.resolve(name), path.join(folder, name))
    writeFileSync(path.join(folder, '.env'), 'DATABASE_URL=postgresql://a:b@127.0.0.1:1/shop\n')
    // With these flags, Node treats the folder of the links as the project folder.
    const words = ['--preserve-symlinks', '--preserve-symlinks-main', path.join(folder, 'prisma', 'migrate.mjs')]
    const env = { __NEXT_PROCESSED_ENV: undefined, DIRECT_DATABASE_URL: undefined }
    const nothingListens = refusal(/^DATABASE_URL: the database at 127\.0\.0\.1:1 [^\n]*nothing listens there[^\n]*\n$/)
    expect(await runNode(words, { ...env, DATABASE_URL: undefined })).toEqual(nothingListens)
    expect((await runNode(words, { ...env, DATABASE_URL: own })).code).toBe(0)
  })
})
