'use client'

import { useEffect } from 'react'
import { forgetOpenCheckout } from '@/components/drop-page/use-open-checkout'
import { forgetOpenClaim } from '@/components/drop-page/use-open-claim'

/**
 * Makes this browser forget the checkout and the claim of a drop, because the order is paid. Otherwise the page of the
 * drop would send the buyer back to them until the reservation ends.
 */
export function ForgetOwnUnits({ dropId }: { dropId: number }) {
  useEffect(() => {
    forgetOpenCheckout(dropId)
    forgetOpenClaim(dropId)
  }, [dropId])
  return null
}
