import 'server-only'
import type { AccountDraft } from '@/lib/accounts/create-account'
import { sealedCookie } from './sealed-cookie'

/**
 * The cookie of a sign-up that is at the plan step. It is valid for 15 minutes, encrypted, and not readable by scripts
 * (docs/product.md#choosing-a-plan-while-signing-up).
 */
export const signupDraftCookie = sealedCookie<AccountDraft>('lastcall-signup', 15 * 60)
