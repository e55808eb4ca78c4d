'use client'

import { useState } from 'react'
import { ApiError, callApi } from '@/lib/client/call-api'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { releaseRedirectLock, takeRedirectLock } from './take-redirect-lock'

export type UpgradePhase = 'idle' | 'processing' | 'redirecting'

/** The delay before a signed-out seller is sent to the sign-in page. */
const UNAUTHORIZED_REDIRECT_MS = 500

/** Shows a toast that the seller is signed out, and opens the sign-in page half a second later. */
export function goToLoginAgain(): void {
  toast({ ...subscriptionToasts.unauthorized, tone: 'bad' })
  const { pathname, origin } = window.location
  const login = new URL(`/api/login?redirect=${encodeURIComponent(pathname)}`, origin)
  setTimeout(() => window.location.assign(login), UNAUTHORIZED_REDIRECT_MS)
}

/**
 * Starts an upgrade and reports its phase: idle, processing, or redirecting to the payment provider. After a failure,
 * the phase is idle again and a toast shows `failure` or a more specific message.
 */
export function useUpgrade(failure: ToastInput) {
  const [phase, setPhase] = useState<UpgradePhase>('idle')

  async function upgrade(billingPeriod: BillingPeriod): Promise<void> {
    if (!takeRedirectLock()) return
    setPhase('processing')
    try {
      const { url } = await callApi<{ url: string }>('POST', '/api/create-subscription', { plan: 'pro', billingPeriod })
      setPhase('redirecting')
      window.location.assign(url)
    } catch (error) {
      releaseRedirectLock()
      setPhase('idle')
      if (error instanceof ApiError && error.status === 401) return goToLoginAgain()
      if (error instanceof ApiError && error.code === 'ALREADY_PRO') return toast(subscriptionToasts.alreadySubscribed)
      toast({ ...failure, tone: 'bad' })
    }
  }

  return { phase, upgrade }
}
