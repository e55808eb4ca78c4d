'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { callApi, failureText } from '@/lib/client/api'
import { toast } from '@/lib/client/toast-store'

/** The one next step: leads to Stripe's page, whose address is made anew for each visit. */
export function PayoutStep({ label, variant }: { label: string; variant: 'default' | 'outline' }) {
  const [isGoing, setIsGoing] = useState(false)
  async function go(): Promise<void> {
    setIsGoing(true)
    try {
      const { url } = await callApi<{ url: string }>('POST', '/api/payouts/connect')
      window.location.assign(url)
    } catch (error) {
      setIsGoing(false)
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  return (
    <Button variant={variant} className="justify-self-start" disabled={isGoing} onClick={() => void go()}>
      {isGoing ? 'Redirecting...' : label}
    </Button>
  )
}
