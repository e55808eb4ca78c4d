import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Client } from 'pg'
import { transaction } from '@/lib/infra/context'
import { closeDatabase } from '@/lib/infra/db'
import { recordAudit } from '@/lib/platform/record-audit'
import { actorOf, contextFor, makeDrop, makeSeller } from '@/tests/support/factories'
import { runNode } from '@/tests/support/run-node'
import { openCheckout, pay } from '@/tests/support/shop'

const folder = mkdtempSync(path.join(tmpdir(), 'lastcall-backup-'))
const source = process.env.DATABASE_URL ?? ''
const other = new URL(source)
other.pathname = `${other.pathname}_restored`
const backup = path.join(folder, 'backup')

const run = (script: string, words: string[], env: Record<string, string>) =>
  execFileSync(process.execPath, [`scripts/${script}.mjs`, ...words], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, NODE_ENV: 'production', __NEXT_PROCESSED_ENV: 'true', ...env },
  })

async function inDatabase<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const one = async (url: string, text: string): Promise<unknown> =>
  Object.values((await inDatabase(url, (client) => client.query(text))).rows[0] as object)[0]

beforeAll(() => inDatabase(source, (client) => client.query(`CREATE DATABASE "${other.pathname.slice(1)}"`)))

afterAll(async () => {
  await closeDatabase()
  await inDatabase(source, (client) => client.query(`DROP DATABASE "${other.pathname.slice(1)}" (FORCE)`))
  rmSync(folder, { recursive: true, force: true })
})

it('a restored backup has every row and file, and the application works with it', async () => {
  const admin = await makeSeller({ isAdmin: true })
  const drop = await makeDrop({ title: 'A "quoted"\\ back\nslash {"table":"x"}' })
  await pay((await openCheckout(drop.id)).url)
  await transaction(contextFor(actorOf(admin)), (tx) =>
    recordAudit(tx, {
      action: 'test',
      targetType: 'drop',
      targetId: drop.id,
      after: { a: 1 },
    }),
  )
  const [from, to] = [path.join(folder, 'from'), path.join(folder, 'to')]
  mkdirSync(path.join(from, 'uploads'), { recursive: true })
  mkdirSync(path.join(from, 'tmp'))
  writeFileSync(path.join(from, 'uploads', 'picture.webp'), 'bytes')

  run('backup', [backup], { DATA_DIR: from })
  run('restore', [backup], { DATA_DIR: to, DATABASE_URL: other.href })

  expect(readFileSync(path.join(to, 'uploads', 'picture.webp'), 'utf8')).toBe('bytes')
  for (const table of ['User', 'Drop', 'Order', 'Hold', 'Transfer', 'AuditEntry', 'OutboxMail']) {
    const rows = `SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM "${table}" t`
    expect([table, await one(other.href, rows)]).toEqual([table, await one(source, rows)])
  }
  // The audit log refuses changes again, and the next row gets a new number.
  await expect(one(other.href, 'DELETE FROM "AuditEntry"')).rejects.toThrow('append-only')
  const next = await one(other.href, `SELECT nextval(pg_get_serial_sequence('"User"', 'id'))::int`)
  expect(next).toBe(Number(await one(source, 'SELECT max("id") FROM "User"')) + 1)
  // A database that is not empty is never overwritten.
  expect(() => run('restore', [backup], { DATA_DIR: to, DATABASE_URL: other.href })).toThrow('not empty')
})

it('a damaged backup is refused before anything is touched', () => {
  const file = path.join(backup, 'database.ndjson.gz')
  const bytes = readFileSync(file)
  bytes[bytes.length - 20]! ^= 1
  writeFileSync(file, bytes)
  expect(() => run('restore', [backup], { DATA_DIR: path.join(folder, 'to') })).toThrow('damaged')
})

const hasFullDevice = existsSync('/dev/full')
;(hasFullDevice ? it : it.skip)(
  'a full disk is one line that says what to do, and a second try finds no remains',
  async () => {
    const folderOfTry = path.join(folder, 'try')
    const backUp = () =>
      runNode(['scripts/backup.mjs', folderOfTry], { NODE_ENV: 'production', DATA_DIR: path.join(folder, 'to') })
    // The backup reads this table between the making of its folder and of the file, which becomes a link to a full disk.
    const full = await inDatabase(source, async (client) => {
      await client.query('BEGIN')
      await client.query('LOCK TABLE _prisma_migrations IN ACCESS EXCLUSIVE MODE')
      const ended = backUp()
      const waits = `SELECT FROM pg_locks WHERE NOT granted AND relation = '_prisma_migrations'::regclass`
      let hasEnded = false
      void ended.then(() => (hasEnded = true))
      while (!hasEnded && (await client.query(waits)).rowCount === 0);
      symlinkSync('/dev/full', path.join(folderOfTry, 'database.ndjson.gz'))
      await client.query('ROLLBACK')
      return ended
    })
    expect(full).toEqual({
      code: 1,
      stdout: '',
      stderr: `The disk of ${folderOfTry} is full: free some space, or name a folder on another disk. What was written is removed.\n`,
    })
    expect(existsSync(folderOfTry)).toBe(false)
    expect(await backUp()).toMatchObject({ code: 0 })
  },
  120_000,
)
