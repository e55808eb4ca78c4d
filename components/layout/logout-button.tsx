'use client'

import { useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { callApi } from '@/lib/client/call-api'
import { forgetThisBrowser } from '@/lib/client/forget-this-browser'
import { HeaderButton } from './header-button'

/**
 * Ends the session, and deletes everything that our pages store in this browser except cookies. The data is deleted
 * even when the call fails (docs/product.md#signing-out).
 */
export function LogoutButton() {
  const queryClient = useQueryClient()
  async function logOut() {
    await callApi('POST', '/api/auth/logout').catch(() => undefined)
    await forgetThisBrowser()
    queryClient.clear()
    window.location.assign(window.location.origin)
  }
  return <HeaderButton icon={LogOut} label="Logout" onClick={() => void logOut()} />
}
