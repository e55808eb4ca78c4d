import { isPrivateAddress, networkOf, readAddress, siteOf } from './network-address.mjs'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  [' 203.0.113.7:4711 ', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['[::ffff:cb00:7107]:443', '203.0.113.7'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('reads %s as %s', (written, address) => expect(readAddress(written)).toBe(address))

test.each(['', 'unknown', 'localhost', '203.0.113', '203.0.113.7.8', '1:2', '[203.0.113.7', '::g', '1.2.3.4, 5.6.7.8'])(
  'readAddress() returns null for %j',
  (written) => expect(readAddress(written)).toBeNull(),
)

test('addresses of one IPv6 customer have the same network, and those of another customer have a different one', () => {
  const networks = ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map(networkOf)
  expect(networks).toEqual(['2001:db8:1:2::/64', '2001:db8:1:2::/64', '2001:db8:1:3::/64'])
})

test('all networks of an IPv6 customer are one site, and an IPv4 address is a site of its own', () => {
  const sites = ['2001:db8:1::1', '2001:db8:1:ff00::9', '2001:db8:2::1', '203.0.113.7', 'unknown'].map(siteOf)
  expect(sites).toEqual(['2001:db8:1::/48', '2001:db8:1::/48', '2001:db8:2::/48', '203.0.113.7', 'unknown'])
})

test('the network of an IPv4 address inside an IPv6 address is the IPv4 address', () => {
  expect(['203.0.113.7', '2002:cb00:7107:5::1', '64:ff9b::cb00:7107'].map(networkOf)).toEqual(
    Array.from({ length: 3 }, () => '203.0.113.7'),
  )
  expect(networkOf('unknown')).toBe('unknown')
})

test('isPrivateAddress() recognizes the addresses of private networks', () => {
  const privates = ['127.0.0.1', '::1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd00::1']
  const publics = ['203.0.113.7', '172.32.0.1', '2001:db8::1', 'unknown']
  expect([privates.every(isPrivateAddress), publics.some(isPrivateAddress)]).toEqual([true, false])
})
