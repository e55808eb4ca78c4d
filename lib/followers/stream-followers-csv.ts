import 'server-only'
import type { Database } from '@/lib/infra/db'
import { streamCsv } from '@/lib/kernel/stream-csv'
import { walkFollowers } from './queries'

const HEADER = ['email', 'confirmed_at', 'page', 'agreed_to'] as const

/** Streams a seller's confirmed followers with the record of their consent as CSV. */
export function streamFollowersCsv(database: Database, sellerId: number): ReadableStream<Uint8Array> {
  return streamCsv(HEADER, readRows(database, sellerId))
}

async function* readRows(database: Database, sellerId: number) {
  for await (const followers of walkFollowers(database, sellerId)) {
    yield followers.map(({ email, confirmedAt, page, agreedTo }) => [email, confirmedAt, page, agreedTo])
  }
}
