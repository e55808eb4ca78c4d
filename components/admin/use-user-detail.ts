'use client'

import { useQuery } from '@tanstack/react-query'
import type { AdminUserDetailView } from '@/lib/admin/view'
import { callApi } from '@/lib/client/call-api'
import { adminKeys } from './admin-keys'

/** Loads one user with the sums that an administrator reads before a decision. They are read anew for each dialog. */
export function useUserDetail(userId: number) {
  return useQuery({
    queryKey: [...adminKeys.users, userId],
    queryFn: () => callApi<AdminUserDetailView>('GET', `/${adminKeys.users.join('/')}/${userId}`),
    staleTime: 0,
  })
}
