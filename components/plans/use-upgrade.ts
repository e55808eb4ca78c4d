'use client'

import { useState } from 'react'
import { ApiError, callApi } from '@/lib/client/api'
import { toast, type ToastInput } from '@/lib/client/toast-store'
import type { BillingPeriod } from '@/lib/plans/rules'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { releaseRedirectLock, takeRedirectLock } from './take-redirect-lock'

export type UpgradePhase = 'idle' | 'processing' | 'redirecting'

/** SPEC §9. */
const UNAUTHORIZED_REDIRECT_MS = 500

/** Somebody who was logged out meanwhile: says so, and goes to log in half a second later (SPEC §8, Subscription). */
export function goToLoginAgain(): void {
  toast({ ...subscriptionToasts.unauthorized, tone: 'bad' })
  const { pathname, origin } = window.location
  const login = new URL(`/api/login?redirect=${encodeURIComponent(pathname)}`, origin)
  setTimeout(() => window.location.assign(login), UNAUTHORIZED_REDIRECT_MS)
}

/** SPEC §4, Upgrade: idle, processing, redirecting to the payment provider; on failure the state resets. */
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
