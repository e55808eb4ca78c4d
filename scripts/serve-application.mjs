import { EventEmitter } from 'node:events'
import path from 'node:path'
import { codeOf } from '../lib/kernel/caught-error.mjs'
import { shutdownHooks } from '../lib/kernel/shutdown-hooks.mjs'
import { Refusal } from '../lib/operations/refusal.mjs'
import { correctStatus } from '../lib/server/correct-status.mjs'
import { claimServers } from '../lib/server/guard-servers.mjs'
import { startWebServer } from '../lib/server/start-web-server.mjs'
import { root } from './run-command.mjs'

/**
 * Serves the application with our own server. Except in development, this puts the shared cache and the live streams in
 * front of Next.
 * @param {{ isDev?: boolean, port: number, addresses: string[], databaseUrl: string, isStopping:
 *   () => boolean }} options
 * @returns {Promise<{ close: () => Promise<void> }>} `close` ends the streams, waits for the requests under way, and
 *   then stops the background work of the application
 * @throws {Refusal} when another program uses the port
 */
export async function serveApplication({ isDev = false, port, addresses, databaseUrl, isStopping }) {
  claimServers({ isDev })
  const { default: next } = await import('next')
  // Next attaches its WebSocket handler (for hot reload) to one server. It gets this emitter instead of a server, and
  // the servers for both address families pass their upgrades on to it.
  const upgrades = new EventEmitter()
  const httpServer = /** @type {import('node:http').Server} */ (upgrades)
  const app = next({ dev: isDev, dir: root, hostname: 'localhost', port, httpServer, quiet: !isDev })
  await app.prepare()
  if (isStopping()) return { close: stopApplication }
  const answer = app.getRequestHandler()
  /** @type {import('../lib/server/start-web-server.mjs').RequestHandler} */
  let handle = (request, response) => correctStatus(response, () => answer(request, response))
  /** @type {Awaited<ReturnType<typeof import('../lib/server/start-shared-cache.mjs').startSharedCache>> | undefined} */
  let cache
  if (!isDev) {
    // These need installed packages, so they cannot be imported at the top of this file.
    const { startSharedCache } = await import('../lib/server/start-shared-cache.mjs')
    const { answerDirectly } = await import('../lib/server/answer-directly.mjs')
    const { serveStaticFiles } = await import('../lib/server/serve-static-files.mjs')
    const { findCommonPage } = await import('../lib/server/find-common-page.mjs')
    const build = path.join(root, '.next')
    const commonPage = findCommonPage(build, path.join(root, 'public'))
    // The environment was checked before the server started.
    const trustedProxyHops = Number(process.env.TRUSTED_PROXY_HOPS ?? 0)
    cache = await startSharedCache({ handle, databaseUrl, trustedProxyHops, commonPage })
    handle = answerDirectly(serveStaticFiles(build, cache.handle))
  }
  try {
    const server = await startWebServer({
      port,
      addresses,
      handle,
      answerAtOnce: cache?.answerAtOnce,
      upgrades: isDev ? upgrades : undefined,
    })
    return {
      close: async () => {
        cache?.endStreams()
        await server.close()
        await cache?.close()
        await stopApplication()
      },
    }
  } catch (error) {
    await cache?.close()
    throw codeOf(error) === 'EADDRINUSE' ? busyPort(port) : error
  }
}

/**
 * Stops the background work of the application (lib/jobs/start-jobs.ts, lib/infra/start-tracing.ts). Failures are
 * ignored, because the process ends anyway.
 */
export async function stopApplication() {
  await Promise.allSettled([...shutdownHooks()].map((hook) => hook()))
}

/** @param {number} port */
export function busyPort(port) {
  return new Refusal(`Port ${port} is busy: stop the program that uses it, or set PORT to another one.`)
}
