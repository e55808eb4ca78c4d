import 'server-only'
import { sealedCookie } from './sealed-cookie'

/**
 * The cookie of a login whose password was right and whose second factor is still missing. `mark` ties it to that
 * password: a reset in between ends the login.
 */
export const secondStepCookie = sealedCookie<{ userId: number; mark: string }>('lastcall-second-step', 10 * 60)
