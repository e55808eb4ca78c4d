'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { toast } from '@/lib/client/toast-store'
import { subscriptionToasts } from '@/lib/subscriptions/messages'

/** Tells Pro users on /subscribe that they already have Pro, and sends them to / (docs/product.md#subscribe-page). */
export function AlreadySubscribed() {
  const router = useRouter()
  useEffect(() => {
    toast(subscriptionToasts.alreadySubscribed)
    const timer = setTimeout(() => router.replace('/'), LEAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [router])
  return null
}

/** The delay before Pro users are sent to /, long enough to read the message. */
const LEAVE_AFTER_MS = 1_500
