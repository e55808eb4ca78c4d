'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { ForgotForm } from './forgot-form'

export function ForgotUsername() {
  const [isSent, setIsSent] = useState(false)
  if (!isSent) return <ForgotForm kind="username" onSent={() => setIsSent(true)} />
  return (
    <div className="grid gap-5" role="status">
      <p className="text-lg font-semibold">Username sent to your email!</p>
      <Button asChild size="lg">
        <Link href="/login">Back to Login</Link>
      </Button>
    </div>
  )
}
