import { QueryClient } from '@tanstack/react-query'

/**
 * Data never becomes stale by itself, is not fetched again on focus and not retried; it is kept for 5 minutes
 * (docs/product.md#data-in-the-browser).
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        retry: false,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  })
}
