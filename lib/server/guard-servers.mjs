import { Server } from 'node:http'
import { limitTimes, receiveRequest } from './receive-request.mjs'

/** @typedef {{ lastcallOwnServer?: boolean, lastcallGuard?: boolean }} Shared on the global object */

const shared = /** @type {Shared} */ (globalThis)

/** Says that the HTTP server of this process is our own, which treats each request itself. */
export function claimServers() {
  shared.lastcallOwnServer = true
}

/**
 * Treats the requests of a server that is not ours (`next start`, the traced output, a serverless host) as our own server
 * does. Next gives no access to its server, so every HTTP server of the process is covered where Node hands out requests.
 */
export function guardServers() {
  if (shared.lastcallOwnServer || shared.lastcallGuard) return
  shared.lastcallGuard = true
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
    return receiveRequest(request, response) ? Reflect.apply(emit, this, args) : true
  }
}
