'use client'

import { useEffect } from 'react'
import { noteUnclearPayment } from './use-unclear-payment'

/** Lets this tab buy again, because the buyer now sees the result of the payment. */
export function ForgetUnclearPayment() {
  useEffect(() => noteUnclearPayment(null), [])
  return null
}
