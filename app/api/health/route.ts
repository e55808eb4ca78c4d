import { databaseNow } from '@/lib/infra/db'
import { paymentsMode } from '@/lib/infra/stripe'

export const dynamic = 'force-dynamic'

export async function GET(): Promise<Response> {
  const headers = { 'Cache-Control': 'no-store' }
  try {
    const time = await databaseNow()
    return Response.json({ status: 'ok', database: 'ok', payments: paymentsMode(), time }, { headers })
  } catch {
    const body = { status: 'unavailable', database: 'away' }
    return Response.json(body, { status: 503, headers: { ...headers, 'Retry-After': '2' } })
  }
}
