'use client'

import { useQueryClient } from '@tanstack/react-query'
import { LogOut, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { adminTexts } from '@/lib/admin/messages'
import { callApi } from '@/lib/client/call-api'

/** The delay before the redirect after an administrator signs out (docs/product.md#signing-out). */
const LOGOUT_MS = 500

/** The header of the panel: the title without a back link, the badge, and Logout (docs/product.md#admin-panel). */
export function AdminHeader() {
  const queryClient = useQueryClient()
  const [isLeaving, setIsLeaving] = useState(false)

  async function logOut() {
    setIsLeaving(true)
    await callApi('POST', '/api/auth/logout').catch(() => undefined)
    localStorage.clear()
    sessionStorage.clear()
    queryClient.clear()
    setTimeout(() => window.location.assign(window.location.origin), LOGOUT_MS)
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
      <Button variant="outline" size="sm" disabled={isLeaving} onClick={() => void logOut()}>
        <LogOut aria-hidden />
        Logout
      </Button>
    </header>
  )
}
