import { Server } from 'node:http'
import { processState } from '../kernel/process-state.mjs'
import { correctStatus } from './correct-status.mjs'
import { limitTimes, receiveRequest } from './receive-request.mjs'

const shared = processState('servers', () => ({ areOurs: false, areGuarded: false }))

/** Says that the HTTP server of this process is our own, which treats each request itself. */
export function claimServers() {
  shared.areOurs = true
}

/**
 * Treats the requests of a server that is not ours (`next start`, the traced output, a serverless host) as our own server
 * does. Next gives no access to its server, so the method by which Node hands out requests is replaced for every HTTP
 * server of the process.
 */
export function guardServers() {
  if (shared.areOurs || shared.areGuarded) return
  shared.areGuarded = true
  const { emit } = Server.prototype
  /**
   * @this {Server}
   * @param {[string, ...unknown[]]} args
   */
  Server.prototype.emit = function (...args) {
    if (args[0] !== 'request') return Reflect.apply(emit, this, args)
    limitTimes(this)
    const [, request, response] =
      /** @type {[string, import('node:http').IncomingMessage, import('node:http').ServerResponse]} */ (args)
    if (!receiveRequest(request, response)) return true
    return correctStatus(response, () => Reflect.apply(emit, this, args))
  }
}
