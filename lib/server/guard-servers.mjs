import { Server } from 'node:http'
import { serverState } from '../kernel/server-state.mjs'
import { correctStatus } from './correct-status.mjs'
import { limitConnections } from './limit-connections.mjs'
import { limitTimes, receiveRequest } from './receive-request.mjs'
import { mustWait, waitForTurn } from './wait-for-turn.mjs'

/**
 * Records that this process runs our own HTTP server. guardServers() then changes nothing, and lib/infra/env.ts reads
 * from HOST on which address the server listens.
 * @param {{ isDev?: boolean }} [options] `isDev` says that this is `npm run dev`
 */
export function claimServers({ isDev = false } = {}) {
  Object.assign(serverState(), { areOurs: true, isDev })
}

/**
 * Makes a server that is not ours, such as `next start`, the traced output or a serverless host, prepare requests and
 * correct responses as our own server does. Next gives no access to its server, so this function replaces the `emit`
 * method of all HTTP servers in the process.
 */
export function guardServers() {
  const shared = serverState()
  if (shared.areOurs || shared.areGuarded) return
  shared.areGuarded = true
  const { emit } = Server.prototype
  /** @type {WeakSet<Server>} */
  const limited = new WeakSet()
  /**
   * @this {Server}
   * @param {[string, ...unknown[]]} args
   */
  Server.prototype.emit = function (...args) {
    if (args[0] === 'connection' && !limited.has(this)) {
      limited.add(this)
      limitConnections(this)
    }
    if (args[0] !== 'request') return Reflect.apply(emit, this, args)
    limitTimes(this)
    const [, request, response] =
      /** @type {[string, import('node:http').IncomingMessage, import('node:http').ServerResponse]} */ (args)
    const answer = () =>
      !receiveRequest(request, response) || correctStatus(response, () => Reflect.apply(emit, this, args))
    if (!mustWait(response)) return answer()
    waitForTurn(request, response, answer)
    return true
  }
}
