import 'server-only'
import { cookies } from 'next/headers'
import { env } from '@/lib/infra/env'
import { newSecret } from '@/lib/kernel/id'
import { HOSTED_HOLD_MS } from '@/lib/checkout/rules'
import { readCheckoutHint, writeCheckoutHint } from '@/lib/kernel/checkout-hint'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'
import { isEarlyToken } from '@/lib/kernel/is-early-token.mjs'
import { SECOND_MS } from '@/lib/kernel/time'
import { cookieJar } from './cookie-jar'

const NAME = 'lastcall-buyer'
/** The drop and the follower's link with which this browser opened its checkout. */
const EARLY_NAME = 'lastcall-early'

/** The anonymous token of a buyer's browser, and whether the browser gets it only now. */
type Buyer = { buyerToken: string; isNewBuyer: boolean }

/**
 * Returns the anonymous token of a buyer's browser, and sets its cookie on the first press of Buy. The rule that a
 * browser has at most one open hold per drop depends on this token.
 */
export async function identifyBuyer(request: Request): Promise<Buyer> {
  const known = await knownBuyerToken(request)
  if (known !== null) return { buyerToken: known, isNewBuyer: false }
  const token = newSecret()
  const jar = await cookieJar(request)
  jar.set(NAME, token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: env().isSecureOrigin,
    path: '/',
    maxAge: 7 * 86_400,
  })
  return { buyerToken: token, isNewBuyer: true }
}

/**
 * Returns the token of a browser that has pressed Buy before, and null for any other browser. Pages call this function
 * without a request.
 */
export async function knownBuyerToken(request?: Request): Promise<string | null> {
  const jar = await cookieJar(request)
  const known = jar.get(NAME)?.value
  return known && /^[A-Za-z0-9]{43}$/.test(known) ? known : null
}

type NotedCheckout = {
  dropId: number
  /** When the units are released; null while the buyer waits in line for the payment page. */
  endsAt: Date | null
  now: Date
}

/**
 * Sets a cookie that says that this browser holds units of the drop and for how long, because the drop page is the same
 * for everyone. A buyer who holds the last unit can then return to their own checkout instead of seeing "sold out".
 */
export async function setCheckoutCookie(request: Request, { dropId, endsAt, now }: NotedCheckout): Promise<void> {
  const heldMs = endsAt ? Math.max(0, endsAt.getTime() - now.getTime()) : HOSTED_HOLD_MS
  const maxAge = Math.ceil(heldMs / SECOND_MS)
  const options = { sameSite: 'lax', secure: env().isSecureOrigin, path: '/', maxAge } as const
  const jar = await cookieJar(request)
  jar.set(CHECKOUT_HINT, writeCheckoutHint({ dropId, endsAt }), options)
}

/**
 * Remembers the follower's link of a checkout on Stripe's page, so that a buyer who returns gets the page for that
 * link. The link is kept in a cookie and not in the return URL that Stripe gets, because anyone who has the link can
 * buy.
 */
export async function noteEarlyLink(
  request: Request,
  dropId: number,
  early: string | undefined,
  holdMs: number,
): Promise<void> {
  // Any other string is ignored by the checkout, too, and a cookie cannot hold every string.
  if (!isEarlyToken(early)) return
  const jar = await cookieJar(request)
  const options = { sameSite: 'lax', secure: env().isSecureOrigin, path: '/', maxAge: holdMs / SECOND_MS } as const
  jar.set(EARLY_NAME, `${dropId}.${early}`, { ...options, httpOnly: true })
}

/** Returns the follower's link with which this browser opened a checkout of the drop, or undefined. */
export async function knownEarlyLink(request: Request, dropId: number): Promise<string | undefined> {
  const [, id, token] =
    /^(\d+)\.([A-Za-z0-9]{1,200})$/.exec((await cookieJar(request)).get(EARLY_NAME)?.value ?? '') ?? []
  return Number(id) === dropId ? token : undefined
}

/**
 * Removes the cookie of setCheckoutCookie() after the buyer has given up the checkout.
 * @param dropId if given, the cookie is kept when it is about another drop.
 */
export async function clearCheckoutCookie(dropId?: number): Promise<void> {
  const jar = await cookies()
  if (dropId === undefined || readCheckoutHint(jar.get(CHECKOUT_HINT)?.value)?.dropId === dropId)
    jar.delete(CHECKOUT_HINT)
}
