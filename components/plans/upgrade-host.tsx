'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { sellerDropsKey } from '@/components/dashboard/seller-drops-key'
import { callApi } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'
import { refreshQueries } from '@/lib/client/refresh-queries'
import { subscriptionToasts } from '@/lib/subscriptions/messages'
import { UpgradeDialog } from './upgrade-dialog'

const WELCOME_MS = 5_000

async function finish(sessionId: string): Promise<boolean> {
  try {
    return (await callApi<{ isPro: boolean }>('POST', '/api/subscription/finish', { sessionId })).isPro
  } catch {
    return false
  }
}

/**
 * Opens the upgrade dialog on the dashboard, after the window event show-upgrade-modal or with ?upgrade=true in the
 * URL. It also greets sellers who return from Stripe's payment page (docs/product.md#dashboard). Before the greeting,
 * the server reads from Stripe whether they paid, because anyone can type the URL.
 */
export function UpgradeHost() {
  const [isOpen, setIsOpen] = useState(false)
  const router = useRouter()
  const queryClient = useQueryClient()

  useEffect(() => {
    const open = () => setIsOpen(true)
    window.addEventListener('show-upgrade-modal', open)
    return () => window.removeEventListener('show-upgrade-modal', open)
  }, [])

  useEffect(() => {
    const query = new URLSearchParams(window.location.search)
    const upgrade = query.get('upgrade')
    const sessionId = query.get('session_id')
    if (!upgrade) return
    // The timeout lets Next.js run its own effects first. One of them starts to watch the URL, so Next.js would miss a
    // change made right here.
    setTimeout(() => window.history.replaceState(null, '', '/'))
    if (upgrade === 'true') window.dispatchEvent(new Event('show-upgrade-modal'))
    if (upgrade !== 'success' || !sessionId) return
    void finish(sessionId).then(async (isPro) => {
      toast({ ...(isPro ? subscriptionToasts.welcome : subscriptionToasts.confirming), durationMs: WELCOME_MS })
      await refreshQueries(queryClient, ['api', 'auth', 'user'])
      await refreshQueries(queryClient, sellerDropsKey)
      await refreshQueries(queryClient, ['api', 'subscription'])
      router.refresh()
    })
  }, [queryClient, router])

  return <UpgradeDialog isOpen={isOpen} onOpenChange={setIsOpen} />
}
