import 'server-only'
import { cookies } from 'next/headers'
import { env } from '@/lib/infra/env'
import { newSecret } from '@/lib/kernel/id'
import { CHECKOUT_HINT } from '@/lib/kernel/hint-cookies'
import { SECOND_MS } from '@/lib/kernel/time'

const NAME = 'lastcall-buyer'

/**
 * The anonymous token of a buyer's browser, set on the first tap to buy. The rule "one open hold per buyer" depends on
 * it.
 */
export async function buyerToken(): Promise<string> {
  const known = await knownBuyerToken()
  if (known !== null) return known
  const token = newSecret()
  ;(await cookies()).set(NAME, token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: env().isSecureOrigin,
    path: '/',
    maxAge: 7 * 86_400,
  })
  return token
}

/** The token of a browser that has pressed Buy before, for pages, which cannot set a cookie; null for any other browser. */
export async function knownBuyerToken(): Promise<string | null> {
  const known = (await cookies()).get(NAME)?.value
  return known && /^[A-Za-z0-9]{43}$/.test(known) ? known : null
}

/**
 * Lets the drop page, which is the same for everybody, know that this browser holds units of the drop. A buyer who holds
 * the last unit can then return to their own checkout instead of seeing "sold out".
 * @param holdMs for how long the units are held
 */
export async function noteOpenCheckout(dropId: number, holdMs: number): Promise<void> {
  const options = { sameSite: 'lax', secure: env().isSecureOrigin, path: '/', maxAge: holdMs / SECOND_MS } as const
  ;(await cookies()).set(CHECKOUT_HINT, String(dropId), options)
}

/** Removes the cookie of noteOpenCheckout() after the checkout was given up. */
export async function forgetOpenCheckout(): Promise<void> {
  ;(await cookies()).delete(CHECKOUT_HINT)
}
