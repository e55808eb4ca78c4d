'use client'

import { useQueryClient } from '@tanstack/react-query'
import { LogOut, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { adminTexts, healthText } from '@/lib/admin/messages'
import { callApi } from '@/lib/client/call-api'
import { forgetThisBrowser } from '@/lib/client/forget-this-browser'
import { CommandBar } from './command-bar'

/** The delay before the redirect after an administrator signs out (docs/product.md#signing-out). */
const REDIRECT_DELAY_MS = 500

/**
 * The header of the panel shows the title without a back link, the badge, the state of the platform, the search, and
 * Logout (docs/product.md#admin-panel).
 */
export function AdminHeader({ troubles }: { troubles: number }) {
  const queryClient = useQueryClient()
  const [isLeaving, setIsLeaving] = useState(false)

  async function logOut() {
    setIsLeaving(true)
    // What this browser knows is removed even if the call fails (docs/product.md#signing-out).
    await callApi('POST', '/api/auth/logout').catch(() => undefined)
    await forgetThisBrowser()
    queryClient.clear()
    setTimeout(() => window.location.assign(window.location.origin), REDIRECT_DELAY_MS)
  }

  return (
    <header className="flex flex-wrap items-start justify-between gap-4 py-3">
      <div className="grid justify-items-start gap-1 sm:flex sm:items-center sm:gap-3">
        <h1 className="text-3xl font-extrabold">{adminTexts.title}</h1>
        <Badge variant="default">
          <ShieldCheck aria-hidden />
          Administrator
        </Badge>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <a
          href="/admin#health"
          className="inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-sm font-semibold hover:bg-sunken"
        >
          <span aria-hidden className={cn('size-2.5 rounded-full', troubles === 0 ? 'bg-good' : 'bg-warn')} />
          {healthText(troubles)}
        </a>
        <CommandBar />
        <Button variant="outline" size="sm" disabled={isLeaving} onClick={() => void logOut()}>
          <LogOut aria-hidden />
          Logout
        </Button>
      </div>
    </header>
  )
}
