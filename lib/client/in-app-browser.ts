/** Browsers inside other apps, by their user agent. */
const APPS: [name: string, agent: RegExp][] = [
  ['Instagram', /\bInstagram\b/],
  ['Facebook', /\bFBA[NV]\/|\bFB_IAB\b/],
  ['TikTok', /\b(?:musical_ly|BytedanceWebview|ByteLocale|TikTok|trill)_?\b/i],
  ['X', /\bTwitter for (?:iPhone|iPad)\b|\bTwitterAndroid\b/],
  ['LinkedIn', /\bLinkedInApp\b/],
  ['WeChat', /\bMicroMessenger\//],
]

/** The app whose built-in browser this is; null for a normal browser. In-app browsers lack wallets and saved cards. */
export function inAppBrowser(userAgent: string): string | null {
  return APPS.find(([, agent]) => agent.test(userAgent))?.[0] ?? null
}
