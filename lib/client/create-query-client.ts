import { QueryClient } from '@tanstack/react-query'

/**
 * Creates the cache for data in the browser. By default, data never becomes stale by itself and is not fetched again
 * when the window gets the focus, and failed requests are not retried. Unused data is kept for 5 minutes
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
