'use client'

import type { QueryClient } from '@tanstack/react-query'
import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { createQueryClient } from '@/lib/client/create-query-client'
import { Toasts } from './toasts'

export function Providers({ children }: { children: ReactNode }) {
  const [queryClient] = useState<QueryClient>(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      {children}
      <Toasts />
    </QueryClientProvider>
  )
}
