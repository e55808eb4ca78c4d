import 'server-only'
import type { Database } from '@/lib/infra/db'
import { toCsv } from '@/lib/kernel/csv'
import { walkFollowers } from './queries'
import type { FollowerView } from './view'

const HEADER = ['email', 'confirmed_at', 'page', 'agreed_to'] as const

const rowsOf = (followers: readonly FollowerView[]) =>
  followers.map(({ email, confirmedAt, page, agreedTo }) => [email, confirmedAt, page, agreedTo])

/** Streams a seller's confirmed followers with the record of their consent as CSV. Rows are sent as they are read. */
export function streamFollowersCsv(database: Database, sellerId: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  const batches = walkFollowers(database, sellerId)
  return new ReadableStream({
    start(controller) {
      controller.enqueue(encoder.encode(`\uFEFF${toCsv(HEADER, [])}`))
    },
    async pull(controller) {
      const { value, done } = await batches.next()
      if (done) return controller.close()
      const headed = toCsv(HEADER, rowsOf(value))
      controller.enqueue(encoder.encode(headed.slice(headed.indexOf('\r\n') + 2)))
    },
    async cancel() {
      await batches.return()
    },
  })
}
