import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { whenIdle } from '@/lib/client/when-idle'
import type { WalletCheckoutProps } from './wallet-checkout'

const WalletCheckout = dynamic(() => import('./wallet-checkout').then((module) => module.WalletCheckout), {
  ssr: false,
})

/**
 * Offers wallets as soon as the drop is live, the page with its pictures has loaded and the browser is idle. Nothing is
 * loaded from Stripe before that. The wallet buttons stay when the drop ends, because a sheet that is open then can
 * still be paid.
 */
export function LateWallets({ isLive, ...props }: WalletCheckoutProps & { isLive: boolean }) {
  const [isPainted, setIsPainted] = useState(false)
  useEffect(() => {
    if (isLive) whenIdle(() => setIsPainted(true))
  }, [isLive])
  return isPainted ? <WalletCheckout {...props} /> : null
}
