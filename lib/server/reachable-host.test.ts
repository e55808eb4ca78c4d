import { reachableHost } from './reachable-host.mjs'

test.each([
  [['127.0.0.1', '::1'], '127.0.0.1'],
  [['0.0.0.0'], '127.0.0.1'],
  [['::'], '[::1]'],
  [['::1'], '[::1]'],
  [['192.0.2.7'], '192.0.2.7'],
  [[], '127.0.0.1'],
])('a server that listens on %j is reached at %s', (addresses, host) => expect(reachableHost(addresses)).toBe(host))
