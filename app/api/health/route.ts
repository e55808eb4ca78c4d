import { database } from '@/lib/infra/db'
import { paymentsMode } from '@/lib/infra/stripe'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const headers = { 'Cache-Control': 'no-store' }
  try {
    const [row] = await database().sql<{ now: Date }>('now', 'SELECT now() AS "now"')
    return Response.json({ status: 'ok', database: 'ok', payments: paymentsMode(), time: row?.now }, { headers })
  } catch {
    const body = { status: 'unavailable', database: 'away' }
    return Response.json(body, { status: 503, headers: { ...headers, 'Retry-After': '2' } })
  }
}
