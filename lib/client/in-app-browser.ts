import type { InAppId } from '@/lib/drops/rules'

type InAppPlatform = 'ios' | 'android'

export type InAppBrowser = {
  id: InAppId
  /** The app's name as people know it. */
  name: string
  platform: InAppPlatform
  /** The URL pattern that opens a page in the phone's own browser; null where none is known. */
  wayOut: string | null
}

// In the patterns below, {url} is the page's URL, {encoded} is the URL as the value of a parameter, {rest} is the URL
// without its scheme, and {scheme} is its scheme.

/** Since iOS 17, a URL of this form opens Safari from another app. */
const SAFARI = 'x-safari-{url}'
/** Android opens a URL of this form in the browser that the user has chosen. */
const INTENT = 'intent://{rest}#Intent;scheme={scheme};action=android.intent.action.VIEW;end'
/** Instagram's own scheme, which works on both systems. */
const INSTAGRAM = 'instagram://extbrowser/?url={encoded}'

type Known = Pick<InAppBrowser, 'id' | 'name'> & { agent: RegExp; waysOut: Record<InAppPlatform, string | null> }

/**
 * Browsers inside other apps, recognized by their user agent, and the URLs that lead out of them. The apps do not
 * promise that these URLs work, so callers must expect that nothing happens.
 */
const APPS: Known[] = [
  { id: 'instagram', name: 'Instagram', agent: /\bInstagram\b/, waysOut: { ios: INSTAGRAM, android: INSTAGRAM } },
  {
    id: 'facebook',
    name: 'Facebook',
    agent: /\bFBA[NV]\/|\bFB_IAB\b/,
    waysOut: { ios: SAFARI, android: INTENT },
  },
  {
    id: 'tiktok',
    name: 'TikTok',
    agent: /\b(?:musical_ly|BytedanceWebview|ByteLocale|TikTok|trill)_?\b/i,
    waysOut: { ios: SAFARI, android: INTENT },
  },
  {
    id: 'x',
    name: 'X',
    agent: /\bTwitter for (?:iPhone|iPad)\b|\bTwitterAndroid\b/,
    waysOut: { ios: SAFARI, android: INTENT },
  },
  { id: 'linkedin', name: 'LinkedIn', agent: /\bLinkedInApp\b/, waysOut: { ios: SAFARI, android: INTENT } },
  { id: 'wechat', name: 'WeChat', agent: /\bMicroMessenger\//, waysOut: { ios: null, android: null } },
]

/**
 * Returns the app whose built-in browser this is, or null for a normal browser. Wallets and saved cards often do not
 * work in a built-in browser.
 */
export function inAppBrowser(userAgent: string): InAppBrowser | null {
  const app = APPS.find(({ agent }) => agent.test(userAgent))
  if (!app) return null
  const platform = /\bAndroid\b/.test(userAgent) ? 'android' : 'ios'
  return { id: app.id, name: app.name, platform, wayOut: app.waysOut[platform] }
}

/** Returns the URL that opens `url` in the phone's own browser. `wayOut` is the app's URL pattern. */
export function outsideAddress(wayOut: string, url: string): string {
  const [scheme = 'https', rest = ''] = url.split('://', 2)
  return wayOut
    .replace('{url}', () => url)
    .replace('{encoded}', () => encodeURIComponent(url))
    .replace('{rest}', () => rest)
    .replace('{scheme}', () => scheme)
}

/**
 * Adds the source of the visit to a URL for the phone's own browser, because that browser does not know the app. A link
 * that already has a source keeps it. The part after # is removed.
 */
export function withSource(href: string, source: string): string {
  const url = new URL(href)
  if (!url.searchParams.get('utm_source')) url.searchParams.set('utm_source', source)
  url.hash = ''
  return url.href
}
