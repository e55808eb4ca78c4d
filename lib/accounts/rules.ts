import { brand } from '@/lib/kernel/brand'
import { DAY_MS } from '@/lib/kernel/time'

/**
 * A username has 3 to 20 lowercase letters, digits or underscores (docs/product.md#usernames). A leading underscore is
 * refused, because such a name looks like the same name without it. Accounts from before hasOpenEnd() may end with one.
 */
export const USERNAME_PATTERN = /^[a-z0-9][a-z0-9_]{2,19}$/
export const USERNAME_MAX = 20

/** Whether a name ends with an underscore. New usernames must not, because "mira_" looks like "mira". */
export function hasOpenEnd(username: string): boolean {
  return username.endsWith('_')
}

/** The username field checks whether a name is available once the name has this many characters. */
export const USERNAME_CHECK_MIN = 3

/**
 * Lowercases what is typed into the username field and removes all characters except a-z, digits and underscores.
 * Returns at most 20 characters (docs/product.md#usernames).
 */
export function cleanUsername(typed: string): string {
  return typed
    .toLowerCase()
    .replace(/[^a-z0-9_]/g, '')
    .slice(0, USERNAME_MAX)
}

/** The periods around a change of username, in days (docs/product.md#changing-a-username). */
const USERNAME_COOLDOWN_DAYS = 30
export const OLD_USERNAME_REDIRECT_DAYS = 30
export const OLD_USERNAME_RESERVED_DAYS = 90

/** Returns when the username may change again, or null when it may change now. One change per 30 days is allowed. */
export function usernameCooldownEnds(changedAt: Date | null, now: Date): Date | null {
  if (!changedAt) return null
  const ends = new Date(changedAt.getTime() + USERNAME_COOLDOWN_DAYS * DAY_MS)
  return ends > now ? ends : null
}

/** The time zones that a seller may choose (docs/product.md#settings). */
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

export type Timezone = (typeof TIMEZONES)[number]

/**
 * Returns the offered time zone whose clocks show the same as those of `zone` all year: the zone itself, or
 * "Europe/Paris" for "Europe/Vienna". Returns undefined if no offered zone does, or if `zone` is unknown.
 */
export function offeredTimezone(zone: string): Timezone | undefined {
  const wanted = clocksOf(zone)
  return TIMEZONES.find((offered) => offered === zone) ?? TIMEZONES.find((offered) => clocksOf(offered) === wanted)
}

/** Returns what the clocks of a time zone show at four moments of a year; null for an unknown zone. */
function clocksOf(zone: string): string | null {
  // The two moments in spring and autumn are between the days on which Europe and America change their clocks.
  const moments = ['2026-01-15', '2026-03-20', '2026-07-15', '2026-10-28'].map((day) => new Date(`${day}T12:00Z`))
  try {
    const clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    return moments.map((at) => clock.format(at)).join()
  } catch {
    return null
  }
}

/** The display currencies that a seller may choose; every charge is in USD (docs/product.md#currency). */
export const CURRENCIES = ['USD', 'EUR', 'GBP', 'CAD', 'AUD'] as const

/** The largest profile picture (docs/product.md#profile-and-picture). */
export const PROFILE_IMAGE_MAX_BYTES = 5 * 1024 * 1024

/** Returns the name under which buyers see a seller: "@mira", or the first name of a seller without a handle. */
export function sellerName({ username, firstName }: { username: string | null; firstName: string }): string {
  return username === null ? firstName : `@${username}`
}

/** Returns the path of a seller's public profile. */
export function profilePath(username: string): string {
  return `/profile/${username}`
}

/**
 * A reset or changed password needs at least 8 characters; a password at sign-up needs 6 (docs/product.md#passwords).
 */
export const RESET_PASSWORD_MIN = 8

/** How often one network may confirm addresses. The number is ours, and leaves room for people who share a network. */
export const CONFIRM_EMAIL_LIMIT = { name: 'confirm-email', points: 30, windowSeconds: 3600 }

/** How often one network may keep a sign-up for the plan step. The number is ours. */
export const SIGNUP_DRAFT_LIMIT = { name: 'signup-draft', points: 60, windowSeconds: 3600 }

/** An account has at most this many passkeys (docs/product.md#passkeys). */
export const MAX_PASSKEYS = 10
export const PASSKEY_NAME_MAX = 40

// Page names are listed with underscores: a username like confirm_email looks like the page /confirm-email.
const RESERVED = new Set(
  `account admin administrator api api_docs app appeal auth billing blog cart checkout claim confirm_email contact create create_drop cron
  dashboard drop drops find_order follow followers forgot_password forgot_username health help home lastcall legal login logout mail mailer_daemon me
  media moderator no_reply noreply null oembed orders official offline owner paused payment payment_success_breakdown payments payouts
  plan_selection plans postmaster pricing privacy privacy_policy profile prohibited prohibited_content recap remind removed replaced reset_password
  robots root sandbox security seller sellers settings shop signin signup sitemap sitemaps staff status stripe subscribe success
  success_payment support system team terms terms_of_service two_factor undefined waitlist webhooks welcome www`.split(
    /\s+/,
  ),
)

/** The letters and digits of a name. Underscores hardly change how a name looks. */
const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')

const RESERVED_BARE = new Set([...RESERVED].map(bare))

/**
 * Whether a username could be mistaken for the platform or one of its pages. Underscores do not count, so "ad_min" is
 * reserved, too. Neither may the name of the platform be a word of it, as in "lastcall_support" or "my_last_call".
 */
export function isReservedUsername(username: string): boolean {
  if (RESERVED_BARE.has(bare(username))) return true
  const words = username.split('_')
  const named = ['lastcall', bare(brand.name)].filter((name) => name !== '')
  return words.some((_, from) => words.some((_, to) => named.includes(words.slice(from, to + 1).join(''))))
}

const isNewUsername = (name: string) => USERNAME_PATTERN.test(name) && !hasOpenEnd(name)

/**
 * Returns names similar to a taken one, the most similar first. The caller checks which of them are free. For a
 * reserved name the list is empty, because similar names could be mistaken for the platform, too.
 */
export function usernameCandidates(username: string, random: () => number): string[] {
  if (isReservedUsername(username)) return []
  const stem = username.replace(/\d+$/, '').slice(0, 15) || username.slice(0, 15)
  const numbers = Array.from({ length: 4 }, () => String(10 + Math.floor(random() * 9_990)))
  const candidates = [`${stem}_drops`, `the_${stem}`, `${stem}_shop`, ...numbers.map((number) => `${stem}${number}`)]
  return [...new Set(candidates.map((candidate) => candidate.slice(0, USERNAME_MAX)))].filter(
    (candidate) => candidate !== username && isNewUsername(candidate) && !isReservedUsername(candidate),
  )
}

/** Returns the field that an error text belongs to, for responses that name no field (docs/product.md#signing-in). */
export function fieldOfErrorText(text: string, mode: 'login' | 'signup'): 'email' | 'username' | 'password' | null {
  const lower = text.toLowerCase()
  if (lower.includes('email')) return 'email'
  if (mode === 'signup' && lower.includes('username')) return 'username'
  if (lower.includes('password')) return 'password'
  return null
}

/**
 * The value of `payoutsStoppedUntil` while payouts are stopped until an administrator releases them. A date that never
 * comes keeps the queries for stopped payouts simple.
 */
export const STOPPED_UNTIL_RELEASED = new Date('9999-12-31T00:00:00.000Z')

/** Whether payouts that are stopped until this time are stopped until an administrator releases them. */
export function isStoppedUntilReleased(iso: string): boolean {
  return iso === STOPPED_UNTIL_RELEASED.toISOString()
}
