import 'server-only'
import { sealedCookie } from './sealed-cookie'

/**
 * The cookie of a login whose password was right and whose second factor is still missing. `mark` ties the cookie to
 * that password, so a password reset in the meantime ends the login.
 */
export const secondStepCookie = sealedCookie<{ userId: number; mark: string }>('lastcall-second-step', 10 * 60)
