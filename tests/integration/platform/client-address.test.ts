import { clientIp } from '@/lib/http/client-ip'
import { env } from '@/lib/infra/env'

const from = (forwarded: string) => clientIp(new Headers({ 'x-forwarded-for': forwarded }))
const trust = (hops: number) => Object.assign(env(), { trustedProxyHops: hops })

test('without a trusted proxy, the IP address of the socket counts, whatever the client claims', () => {
  trust(0)
  expect(from('198.51.100.1, ::ffff:203.0.113.7')).toBe('203.0.113.7')
})

test('an IPv4 address counts as one client with and without a port, and inside an IPv6 address', () => {
  trust(1)
  const spellings = ['203.0.113.7', '203.0.113.7:4711', '::ffff:203.0.113.7', '[::ffff:203.0.113.7]:80']
  expect(new Set(spellings.map((spelling) => from(`${spelling}, 127.0.0.1`)))).toEqual(new Set(['203.0.113.7']))
})

test('clients without a valid IP address all count as one unknown client', () => {
  trust(1)
  expect(from('made-up-1, 127.0.0.1')).toBe('unknown')
  expect(from('made-up-2, 127.0.0.1')).toBe('unknown')
})
