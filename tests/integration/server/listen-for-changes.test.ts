import { setImmediate as nextTurn } from 'node:timers/promises'
import { closeDatabase, db } from '@/lib/infra/db'
import { listenForChanges } from '@/lib/server/listen-for-changes.mjs'
import { startDatabaseProxy } from '@/tests/support/start-database-proxy'
import { until } from '@/tests/support/until'

const proxies: Awaited<ReturnType<typeof startDatabaseProxy>>[] = []
const nothing = { onChange: () => undefined, onAnyChange: () => undefined }

afterAll(async () => {
  for (const proxy of proxies) proxy.stop()
  await closeDatabase()
})

async function startProxy() {
  const proxy = await startDatabaseProxy(process.env.DIRECT_DATABASE_URL ?? process.env.DATABASE_URL ?? '')
  proxies.push(proxy)
  return proxy
}

const listeners = async () =>
  db().$queryRaw<{ pid: number }[]>`
    SELECT "pid" FROM pg_stat_activity WHERE "application_name" = 'lastcall-cache' AND "datname" = current_database()`

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

it('a listener whose first connection fails does not try again, because nobody could close it', async () => {
  const proxy = await startProxy()
  proxy.cut()
  const before = timers()
  await expect(listenForChanges(proxy.databaseUrl, nothing)).rejects.toThrow()
  await nextTurn()
  expect(timers()).toBeLessThanOrEqual(before)
})

it('a listener that lost its connection connects again, and one that is closed while it reconnects leaves no connection', async () => {
  const proxy = await startProxy()
  const changes = await listenForChanges(proxy.databaseUrl, nothing)
  expect(await listeners()).toHaveLength(1)
  proxy.cut()
  while (changes.isListening()) await nextTurn()
  proxy.mend()
  while (!changes.isListening()) await nextTurn()
  const [lost] = await listeners()
  proxy.cut()
  while (changes.isListening()) await nextTurn()
  proxy.mend()
  // The next attempt begins a second after the loss, on a new connection. The listener is closed during that attempt.
  const isNew = ({ pid }: { pid: number }) => pid !== lost?.pid
  while (!(await listeners()).some(isNew)) await nextTurn()
  await changes.close()
  while ((await listeners()).length > 0) await nextTurn()
  expect(changes.isListening()).toBe(false)
})

it('a listener whose connection is silently dropped notices it, and gives up a new connection that gets no answer', async () => {
  const proxy = await startProxy()
  const changes = await listenForChanges(proxy.databaseUrl, nothing, { beatMs: 50, answerMs: 2_000 })
  proxy.freeze()
  await until('end of the silent connection', async () => !changes.isListening())
  await until('attempt that gets no answer', async () => proxy.unanswered() > 0)
  proxy.mend()
  await until('new connection', async () => changes.isListening())
  await changes.close()
  expect(changes.isListening()).toBe(false)
})
