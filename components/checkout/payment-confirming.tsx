'use client'

import { LoaderCircle } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { orderTexts } from '@/lib/orders/messages'

const RECHECK_MS = 2_000

/**
 * Says that the payment is being confirmed. The page asks the server again every two seconds, and never reports success
 * before the server does (docs/product.md#after-paying).
 */
export function PaymentConfirming() {
  const router = useRouter()
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), RECHECK_MS)
    return () => clearInterval(timer)
  }, [router])
  return (
    <div className="grid gap-3" role="status">
      <LoaderCircle aria-hidden className="size-10 animate-spin text-ember" />
      <h1 className="text-3xl font-extrabold">{orderTexts.confirmingTitle}</h1>
      <p className="text-lg text-muted">{orderTexts.confirming}</p>
    </div>
  )
}
