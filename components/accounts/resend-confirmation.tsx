'use client'

import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { accountToasts } from '@/lib/accounts/messages'
import { callApi, failureText } from '@/lib/client/call-api'
import { toast } from '@/lib/client/toast-store'

export function ResendConfirmation() {
  const [isSent, setIsSent] = useState(false)
  async function send() {
    setIsSent(true)
    try {
      await callApi('POST', '/api/auth/resend-confirmation')
      toast(accountToasts.linkSent)
    } catch (error) {
      setIsSent(false)
      toast({ title: 'Error', description: failureText(error), tone: 'bad' })
    }
  }
  return (
    <Button variant="outline" disabled={isSent} onClick={() => void send()}>
      {isSent ? 'Link sent' : 'Send the link again'}
    </Button>
  )
}
