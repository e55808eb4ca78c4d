import { processState } from './process-state.mjs'

/**
 * Returns what this process knows about its HTTP servers. `areOurs`: our own scripts started them (scripts/start.mjs,
 * scripts/serve.mjs), and not `next start`, the traced `server.js` or a serverless host. `areGuarded`: guardServers()
 * has added our handling of requests to servers that are not ours. `trustedProxyHops`: how many proxies stand in front,
 * which instrumentation.ts sets from TRUSTED_PROXY_HOPS. `isDev`: this is `npm run dev`.
 */
export const serverState = () =>
  processState('servers', () => ({ areOurs: false, areGuarded: false, trustedProxyHops: 0, isDev: false }))
