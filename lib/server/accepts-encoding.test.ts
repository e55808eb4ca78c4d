import { acceptsEncoding } from './accepts-encoding.mjs'

test.each([
  ['gzip, deflate, br, zstd', true, true],
  ['gzip;q=1.0, identity; q=0.5', false, true],
  ['br;q=0.001', true, false],
  ['gzip;q=0, br;q=0.0', false, false],
  ['br ; q=0 , GZIP ; Q=0.000', false, false],
  ['gzip;q=0.05', false, true],
  ['x-gzip, brotli', false, false],
  ['', false, false],
])('%s accepts br: %j, gzip: %j', (accepted, br, gzip) => {
  expect([acceptsEncoding(accepted, 'br'), acceptsEncoding(accepted, 'gzip')]).toEqual([br, gzip])
})
