import { inAppBrowser, outsideAddress, withSource } from './in-app-browser'

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'
const ANDROID = 'Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0'

test.each([
  [`${IPHONE} Mobile/22B83 Instagram 355.1.0.32.90 (iPhone16,1; iOS 18_1; en_US; en; scale=3.00)`, 'Instagram'],
  [`${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 360.0.0.52.192 Android`, 'Instagram'],
  [`${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.46.77;FBBV/661034131;FBDV/iPhone16,1]`, 'Facebook'],
  [`${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`, 'Facebook'],
  [
    `${IPHONE} Mobile/22B83 musical_ly_37.4.0 JsSdk/2.0 NetType/WIFI Channel/App Store BytedanceWebview/d8a21c6`,
    'TikTok',
  ],
  [`${ANDROID} Chrome/131.0 Mobile Safari/537.36 trill_370402 JsSdk/1.0 ByteLocale/en`, 'TikTok'],
  [`${IPHONE} Mobile/22B83 Twitter for iPhone/10.69`, 'X'],
  [`${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 TwitterAndroid`, 'X'],
  [`${IPHONE} Mobile/22B83 [LinkedInApp]/9.30.1870`, 'LinkedIn'],
  [`${IPHONE} Mobile/22B83 MicroMessenger/8.0.54(0x18003629) NetType/WIFI Language/en`, 'WeChat'],
  [`${IPHONE} Version/18.1 Mobile/15E148 Safari/604.1`, null],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    null,
  ],
  ['', null],
])('the user agent "%s" belongs to the app %s', (agent, app) => expect(inAppBrowser(agent)?.name ?? null).toBe(app))

const HREF = 'https://lastcall.example/drop/low-sun?utm_source=tiktok&n=1'
const SAFARI = `x-safari-${HREF}`
const INTENT =
  'intent://lastcall.example/drop/low-sun?utm_source=tiktok&n=1#Intent;scheme=https;action=android.intent.action.VIEW;end'
const INSTAGRAM = `instagram://extbrowser/?url=${encodeURIComponent(HREF)}`

test.each([
  ['instagram', `${IPHONE} Mobile/22B83 Instagram 355.1.0.32.90 (iPhone16,1)`, 'ios', INSTAGRAM],
  [
    'instagram',
    `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 Instagram 360.0.0.52.192 Android`,
    'android',
    INSTAGRAM,
  ],
  ['facebook', `${IPHONE} Mobile/22B83 [FBAN/FBIOS;FBAV/489.0.0.46.77]`, 'ios', SAFARI],
  ['facebook', `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/490.0.0.63.82;]`, 'android', INTENT],
  ['tiktok', `${IPHONE} Mobile/22B83 musical_ly_37.4.0 JsSdk/2.0 BytedanceWebview/d8a21c6`, 'ios', SAFARI],
  ['tiktok', `${ANDROID} Chrome/131.0 Mobile Safari/537.36 trill_370402 ByteLocale/en`, 'android', INTENT],
  ['x', `${IPHONE} Mobile/22B83 Twitter for iPhone/10.69`, 'ios', SAFARI],
  ['x', `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 TwitterAndroid`, 'android', INTENT],
  ['linkedin', `${IPHONE} Mobile/22B83 [LinkedInApp]/9.30.1870`, 'ios', SAFARI],
  ['linkedin', `${ANDROID} Chrome/131.0.0.0 Mobile Safari/537.36 [LinkedInApp]/4.1.990`, 'android', INTENT],
  ['wechat', `${IPHONE} Mobile/22B83 MicroMessenger/8.0.54(0x18003629)`, 'ios', null],
  ['wechat', `${ANDROID} Chrome/130.0 Mobile Safari/537.36 MicroMessenger/8.0.54`, 'android', null],
])(
  'in the app %s with the user agent "%s" on %s, the URL that leaves the app is %s',
  (id, agent, platform, address) => {
    const app = inAppBrowser(agent)
    expect(app).toMatchObject({ id, platform })
    expect(app?.wayOut ? outsideAddress(app.wayOut, HREF) : null).toBe(address)
  },
)

test('the URL for another browser names the app as its source, unless the link already has a source', () => {
  expect(withSource('https://a.example/drop/x', 'instagram')).toBe('https://a.example/drop/x?utm_source=instagram')
  expect(withSource('https://a.example/drop/x?utm_source=bio#top', 'x')).toBe('https://a.example/drop/x?utm_source=bio')
})

test('a URL that contains $& is passed on unchanged', () => {
  expect(outsideAddress('{url}', 'https://a.example/$&')).toBe('https://a.example/$&')
})
