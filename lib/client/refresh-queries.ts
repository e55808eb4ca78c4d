import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Loads every query whose key starts with `queryKey` again after a change, and resolves when the new data are there.
 *
 * It first cancels requests that are already on their way. `invalidateQueries` alone waits for a query's first request
 * instead of sending it again, so a list that was read just before the change would stay on the screen.
 */
export async function refreshQueries(queryClient: QueryClient, queryKey: QueryKey): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  await queryClient.invalidateQueries({ queryKey })
}
