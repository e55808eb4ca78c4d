'use client'

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { callApi } from '@/lib/client/call-api'
import { useDebounced } from '@/lib/client/use-debounced'

const PAGE = 50
/** How long typing must pause before a search is sent. */
const TYPING_MS = 250

/**
 * Loads a list from the admin API, which searches the list and splits it into pages. A search is sent once typing has
 * paused.
 */
export function useAdminList<Item extends { id: number }>(
  key: readonly string[],
  typed: string,
  filters: Record<string, string>,
) {
  const q = useDebounced(typed.trim(), TYPING_MS)
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: [...key, { q, ...filters }],
    queryFn: ({ pageParam }) => {
      const query = new URLSearchParams({ ...filters, limit: String(PAGE) })
      if (q) query.set('q', q)
      if (pageParam) query.set('cursor', String(pageParam))
      return callApi<Item[]>('GET', `/${key.join('/')}?${query.toString()}`)
    },
    initialPageParam: 0,
    getNextPageParam: (last) => (last.length === PAGE ? last.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  })
  const items = data?.pages.flat() ?? []
  const again = () => void refetch()
  return { items, error, isPending, isFetching, again, hasMore: hasNextPage, more: () => void fetchNextPage() }
}
