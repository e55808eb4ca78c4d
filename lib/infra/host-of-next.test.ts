import { hostOfNext } from './host-of-next'

test.each([
  [['node', '/app/node_modules/.bin/next', 'start'], 'localhost', null],
  [['node', '/app/node_modules/next/dist/bin/next', 'start', '-H', 'localhost'], undefined, 'localhost'],
  [['node', '/app/node_modules/.bin/next', 'start', '-p', '3000', '--hostname=127.0.0.1'], 'web-1', '127.0.0.1'],
  [['node', '/app/node_modules/.bin/next', 'start', '-H::1', '--keepAliveTimeout', '5000'], undefined, '::1'],
  [['node', '/app/node_modules/.bin/next', 'start', '-H', 'localhost', '-H', '0.0.0.0'], undefined, '0.0.0.0'],
  [['node', '/app/node_modules/.bin/next', 'start', '-H'], undefined, null],
  [['node', '/app/server.js'], undefined, null],
  [['node', '/app/server.js'], '', null],
  [['node', '/app/server.js', '-H', 'localhost'], 'web-1', 'web-1'],
  [['node', '/app/server.js'], 'localhost', 'localhost'],
  [['node', '/app/node_modules/next/dist/server/lib/start-server.js'], 'localhost', null],
  [['node'], 'localhost', null],
])('the command line %j with HOSTNAME=%s names the host %s', (words, hostname, host) => {
  expect(hostOfNext(words, hostname)).toBe(host)
})
