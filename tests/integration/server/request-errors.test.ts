import { Client } from 'pg'
import { startApp } from '@/tests/support/start-app.mjs'
import { until } from '@/tests/support/until'

// These tests rename a column or a table while the application runs, so that a page fails while it is rendered.
let app: Awaited<ReturnType<typeof startApp>>
let database: Client

beforeAll(async () => {
  app = await startApp({ env: { SEED_DEMO: '0' } })
  database = new Client(app.databaseUrl)
  await database.connect()
}, 6 * 60_000)

afterAll(async () => {
  await database?.end()
  await app?.stop()
}, 60_000)

async function readMetrics(): Promise<string> {
  const answer = await fetch(`${app.url}/api/metrics`, { headers: { authorization: `Bearer ${app.cronSecret}` } })
  return answer.text()
}

type Line = { msg: string; requestId: string; digest: string; route: string; kind: string; cause: { message: string } }

it('logs the error of a page with a request id and without the secret in its URL, and counts it', async () => {
  const token = 'S3cret'.repeat(8).slice(0, 43)
  await database.query(`ALTER TABLE "User" RENAME COLUMN "firstName" TO "mia@example.com"`)
  try {
    const answer = await fetch(`${app.url}/profile/somebody?to=mia@example.com&token=${token}`)
    expect(answer.status).toBe(500)
  } finally {
    await database.query(`ALTER TABLE "User" RENAME COLUMN "mia@example.com" TO "firstName"`)
  }
  const lines = app
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'page failed')
  expect(lines.length).toBeGreaterThan(0)
  expect(lines[0]).toMatchObject({ route: '/profile/[username]', kind: 'render' })
  expect(lines[0]?.requestId).toMatch(/^req_/)
  expect(lines[0]?.digest).toMatch(/^\d+/)
  expect(JSON.stringify(lines)).not.toMatch(/mia@|S3cret|somebody/)
  expect(await readMetrics()).toMatch(/^lastcall_request_errors_total\{kind="render"\} [1-9]/m)
})

it('counts the runs of a job that fail', async () => {
  await database.query('ALTER TABLE "FollowerNotice" RENAME TO "Moved"')
  try {
    const failures = /^lastcall_job_failures_total\{job="followers"\} [1-9]/m
    await until('failed run', async () => failures.test(await readMetrics()))
  } finally {
    await database.query('ALTER TABLE "Moved" RENAME TO "FollowerNotice"')
  }
})

it.each([
  ['a page that is the same for everyone', 'User', '/profile/somebody'],
  ['a page of one buyer', 'Order', `/o/${'o'.repeat(43)}`],
])('returns 503 when the database goes away while %s is rendered', async (_what, table, path) => {
  // A view in place of the table raises the error that Postgres sends while it shuts down. The middleware reads the
  // same table, but leaves its error to the page (lib/http/plain-forms/replaced-page.ts).
  await database.query(`
    ALTER TABLE "${table}" RENAME TO "Moved";
    CREATE FUNCTION rows_of_moved() RETURNS SETOF "Moved" LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'the database system is shutting down' USING ERRCODE = '57P03'; END $$;
    CREATE VIEW "${table}" AS SELECT * FROM rows_of_moved()`)
  try {
    const answer = await fetch(app.url + path)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.text()).not.toContain('shutting down')
  } finally {
    await database.query(`
      DROP VIEW "${table}"; DROP FUNCTION rows_of_moved(); ALTER TABLE "Moved" RENAME TO "${table}"`)
  }
  expect((await fetch(app.url + path)).status).toBe(404)
})
