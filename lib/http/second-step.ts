import 'server-only'
import { sealedCookie } from './sealed-cookie'

/**
 * A login whose password was right and whose second factor is still missing. `mark` ties it to the password it was made
 * with: a reset in between ends it.
 */
export const secondStepCookie = sealedCookie<{ userId: number; mark: string }>('lastcall-second-step', 10 * 60)
