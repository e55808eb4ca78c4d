import { DAY_MS } from '@/lib/kernel/time'

/** SPEC §9. A leading underscore is refused: it looks like a name without one. */
export const USERNAME_PATTERN = /^[a-z0-9][a-z0-9_]{2,19}$/
export const USERNAME_MAX = 20
export const USERNAME_CHECK_MIN = 3

/** What typing into the username field leaves: lowercased, only a-z, digits and underscore, at most 20 (SPEC §5). */
export function cleanUsername(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '')
    .slice(0, USERNAME_MAX)
}

/** SPEC §9 and DECISIONS 36, in days. */
const USERNAME_COOLDOWN_DAYS = 30
export const OLD_USERNAME_REDIRECT_DAYS = 30
export const OLD_USERNAME_RESERVED_DAYS = 90

/** Until when the username stays as it is; null when it may change now (one change per 30 days). */
export function usernameCooldownEnds(changedAt: Date | null, now: Date): Date | null {
  if (!changedAt) return null
  const ends = new Date(changedAt.getTime() + USERNAME_COOLDOWN_DAYS * DAY_MS)
  return ends > now ? ends : null
}

/** SPEC §9. */
export const TIMEZONES = [
  'UTC',
  'America/New_York',
  'America/Los_Angeles',
  'America/Chicago',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Australia/Sydney',
] as const

/** SPEC §9; a display preference, everything is charged in USD (DECISIONS 8). */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD'] as const

/** SPEC §9. */
export const PROFILE_IMAGE_MAX_BYTES = 5 * 1024 * 1024

/** The one address of a seller's public profile. */
export function profilePath(username: string): string {
  return `/profile/${username}`
}

/** SPEC §9: 6 at sign-up, 8 on reset. */
export const RESET_PASSWORD_MIN = 8

// A name with underscores passes for the page of the same words with hyphens.
const RESERVED = new Set(
  `account admin administrator api app appeal auth billing blog cart checkout claim confirm_email contact create create_drop cron
  dashboard drop drops find_order forgot_password forgot_username health help home lastcall legal login logout mail mailer_daemon me
  media moderator no_reply noreply null oembed orders official offline owner paused payment payment_success_breakdown payments payouts
  plan_selection plans postmaster pricing privacy privacy_policy profile prohibited prohibited_content remind removed reset_password
  robots root sandbox security seller sellers settings shop signin signup sitemap sitemaps staff status stripe subscribe success
  success_payment support system team terms terms_of_service two_factor undefined waitlist webhooks welcome www`.split(
    /\s+/,
  ),
)

/** Names that would pass for the platform or for one of its pages. */
export function isReservedUsername(username: string): boolean {
  return RESERVED.has(username)
}

/**
 * Free names close to a taken one, most alike first; the caller checks which are really free. None for a reserved one: what is
 * close to it would pass for the platform as well.
 */
export function usernameCandidates(username: string, random: () => number): string[] {
  if (isReservedUsername(username)) return []
  const stem = username.replace(/\d+$/, '').slice(0, 15) || username.slice(0, 15)
  const numbers = Array.from({ length: 4 }, () => String(10 + Math.floor(random() * 9_990)))
  const candidates = [`${stem}_drops`, `the_${stem}`, `${stem}_shop`, ...numbers.map((number) => `${stem}${number}`)]
  return [...new Set(candidates.map((candidate) => candidate.slice(0, USERNAME_MAX)))].filter(
    (candidate) => candidate !== username && USERNAME_PATTERN.test(candidate) && !isReservedUsername(candidate),
  )
}

/** Which field an error text belongs to when the answer names none (SPEC §8, Login and Signup). */
export function fieldOfErrorText(text: string, mode: 'login' | 'signup'): 'email' | 'username' | 'password' | null {
  const lower = text.toLowerCase()
  if (lower.includes('email')) return 'email'
  if (mode === 'signup' && lower.includes('username')) return 'username'
  if (lower.includes('password')) return 'password'
  return null
}
