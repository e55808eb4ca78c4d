'use client'

import Link from 'next/link'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { News } from '@/components/ui/news'
import { ForgotForm } from './forgot-form'

/**
 * Lets a person request an email with the username.
 * @param isSentBefore whether the form was sent without JavaScript before the page was loaded
 */
export function ForgotUsername({ isSentBefore }: { isSentBefore: boolean }) {
  const [isSent, setIsSent] = useState(isSentBefore)
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
