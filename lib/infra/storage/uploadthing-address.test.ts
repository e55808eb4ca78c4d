import { localKey, remoteKey, signedAddress } from './uploadthing-address'

// UploadThing's own SDK (7.7.4) computes these prefixes for these app ids.
test.each([
  ['app1', 'xbvswsedhPVc'],
  ['zz9k2', 'DtVMMZoIRVJe'],
  ['testapp0', 'XWht17k1w9oj'],
  ['a', 'W4Qjg2vCuOzL'],
  ['x7fh2k1m3p', 'aVBEjlHhLUtF'],
])('keys of the app %s begin with the prefix that UploadThing expects', (appId, prefix) => {
  expect(remoteKey(appId, 'files/f_1.pdf').slice(0, 12)).toBe(prefix)
})

it('converts a key of UploadThing back to our key, but not the key of another app', () => {
  const key = remoteKey('app1', 'drops/abc-123_x-480.webp')
  expect(key).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(localKey('app1', key)).toBe('drops/abc-123_x-480.webp')
  expect(localKey('testapp0', key)).toBeNull()
})

it('signs a URL together with everything that it permits', () => {
  const options = { apiKey: 'sk_1', expiresAt: new Date(1_800_000_000_000), data: { 'x-ut-file-name': 'Ä b.pdf' } }
  const address = signedAddress('https://sea1.ingest.uploadthing.com/key', options)
  expect(address).toMatch(
    /^https:\/\/sea1\.ingest\.uploadthing\.com\/key\?expires=1800000000000&x-ut-file-name=%25C3%2584%2520b\.pdf&signature=hmac-sha256%3D[0-9a-f]{64}$/,
  )
  expect(signedAddress('https://sea1.ingest.uploadthing.com/key', { ...options, apiKey: 'sk_2' })).not.toBe(address)
})
