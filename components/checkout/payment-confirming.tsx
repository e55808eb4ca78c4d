'use client'

import { LoaderCircle } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { checkoutTexts } from '@/lib/checkout/messages'
import { noteConfirming } from './outcome-heading'

const RECHECK_MS = 2_000
const LONG_MS = 30_000
const LONG = "This is taking longer than usual. You can close this page. We'll email your receipt."

/**
 * Says that the payment is being confirmed. The page asks the server again every two seconds, and never reports success
 * before the server does (docs/product.md#after-paying).
 */
export function PaymentConfirming() {
  const router = useRouter()
  const [isLong, setIsLong] = useState(false)
  useEffect(() => {
    noteConfirming()
    const timer = setInterval(() => router.refresh(), RECHECK_MS)
    const late = setTimeout(() => setIsLong(true), LONG_MS)
    return () => {
      clearInterval(timer)
      clearTimeout(late)
    }
  }, [router])
  return (
    <div className="grid gap-3" role="status">
      <LoaderCircle aria-hidden className="size-10 animate-spin text-ember" />
      <h1 className="text-3xl font-extrabold">{checkoutTexts.confirmingTitle}</h1>
      <p className="text-lg text-muted">{isLong ? LONG : checkoutTexts.confirming}</p>
    </div>
  )
}
