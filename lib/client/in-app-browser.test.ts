import { inAppBrowser } from './in-app-browser'

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
])('%s', (agent, app) => expect(inAppBrowser(agent)).toBe(app))
