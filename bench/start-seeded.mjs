import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startApp } from '../tests/support/start-app.mjs'

/** @import { Stoppable } from './processes.mjs' */

/**
 * Starts the application with the demo's drops. Another process has created them before, because drawing their pictures
 * takes memory that a process keeps.
 * @param {Record<string, string>} env
 * @param {Stoppable[]} started gets what must be stopped at the end
 */
export async function startSeeded(env, started) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'lastcall-bench-'))
  started.push({ stop: async () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 }) })
  const seeding = await startApp({ seed: null, dataDir, env: { ...env, SEED_DEMO: '1' } })
  await seeding.stop()
  const server = await startApp({ seed: null, dataDir, env })
  started.push(server)
  return server
}
