'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { toast } from '@/lib/client/toast-store'
import { subscriptionToasts } from '@/lib/subscriptions/messages'

/** Pro users have nothing to do on /subscribe: they are told so and sent to / (SPEC §2). */
export function AlreadySubscribed() {
  const router = useRouter()
  useEffect(() => {
    toast(subscriptionToasts.alreadySubscribed)
    const timer = setTimeout(() => router.replace('/'), LEAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
  return null
}

/** Long enough to be read. */
const LEAVE_AFTER_MS = 1_500
