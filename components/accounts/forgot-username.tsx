'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { News } from '@/components/ui/news'
import { ForgotForm } from './forgot-form'

export function ForgotUsername() {
  const [isSent, setIsSent] = useState(false)
  if (!isSent) return <ForgotForm kind="username" onSent={() => setIsSent(true)} />
  return (
    <News className="grid gap-5">
      <p className="text-lg font-semibold">Username sent to your email!</p>
      <Button asChild size="lg">
        <Link href="/login">Back to Login</Link>
      </Button>
    </News>
  )
}
