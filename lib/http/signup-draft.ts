import 'server-only'
import type { AccountDraft } from '@/lib/accounts/create-account'
import { sealedCookie } from './sealed-cookie'

/** A sign-up on its way through the plan step: 15 minutes, encrypted, out of reach of scripts (DECISIONS 28). */
export const signupDraftCookie = sealedCookie<AccountDraft>('lastcall-signup', 15 * 60)
