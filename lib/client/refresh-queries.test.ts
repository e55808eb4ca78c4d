import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { refreshQueries } from './refresh-queries'

it('a first response that was read before a change is discarded, and the data are loaded again', async () => {
  const client = new QueryClient()
  const pending: ((plan: string) => void)[] = []
  const observer = new QueryObserver(client, {
    queryKey: ['users', { q: 'mira' }],
    queryFn: () => new Promise<string>((resolve) => pending.push(resolve)),
  })
  const unsubscribe = observer.subscribe(() => undefined)
  const refreshed = refreshQueries(client, ['users'])
  pending[0]?.('free')
  await new Promise(setImmediate)
  expect(pending).toHaveLength(2)
  pending[1]?.('pro')
  await refreshed
  expect(observer.getCurrentResult().data).toBe('pro')
  unsubscribe()
})
