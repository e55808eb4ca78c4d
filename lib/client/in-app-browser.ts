import type { InAppId } from '@/lib/drops/rules'

type InAppPlatform = 'ios' | 'android'

export type InAppBrowser = {
  id: InAppId
  /** The app's name as people know it. */
  name: string
  platform: InAppPlatform
  /** The address pattern that opens a page in the phone's own browser; null where none is known. */
  wayOut: string | null
}

// {url}: the address. {encoded}: the address as the value of a parameter. {rest}: the address without its scheme.
/** Since iOS 17, such an address in another app opens Safari. */
const SAFARI = 'x-safari-{url}'
/** Android opens the address in the browser that the person has chosen. */
const INTENT = 'intent://{rest}#Intent;scheme={scheme};action=android.intent.action.VIEW;end'
/** Instagram's own scheme, which works on both systems. */
const INSTAGRAM = 'instagram://extbrowser/?url={encoded}'

type Known = Pick<InAppBrowser, 'id' | 'name'> & { agent: RegExp; waysOut: Record<InAppPlatform, string | null> }

/**
 * Browsers inside other apps, by their user agent, and the ways out of them. None of these ways is promised by the apps,
 * so whoever uses one must be ready for nothing to happen.
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

/** The app whose built-in browser this is; null for a normal browser. In-app browsers lack wallets and saved cards. */
export function inAppBrowser(userAgent: string): InAppBrowser | null {
  const app = APPS.find(({ agent }) => agent.test(userAgent))
  if (!app) return null
  const platform = /\bAndroid\b/.test(userAgent) ? 'android' : 'ios'
  return { id: app.id, name: app.name, platform, wayOut: app.waysOut[platform] }
}

/** The address that opens `url` in the phone's own browser, by the way out of an app. */
export function outsideAddress(wayOut: string, url: string): string {
  const [scheme = 'https', rest = ''] = url.split('://', 2)
  return wayOut
    .replace('{url}', () => url)
    .replace('{encoded}', () => encodeURIComponent(url))
    .replace('{rest}', () => rest)
    .replace('{scheme}', () => scheme)
}

/**
 * The address of a page for the phone's own browser, with the source of the visit: there the app is no longer known, so
 * the address names it, unless the link already had a tag.
 */
export function withSource(href: string, source: string): string {
  const url = new URL(href)
  if (!url.searchParams.get('utm_source')) url.searchParams.set('utm_source', source)
  url.hash = ''
  return url.href
}
