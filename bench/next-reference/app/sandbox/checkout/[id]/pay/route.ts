import { createHmac } from 'node:crypto'
import { settle } from '../../../../../shop/settle'

export const dynamic = 'force-dynamic'

/** Settles the order as a webhook would: it computes a signature over the body, then runs one statement. */
export async function POST(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const body = await request.text()
  createHmac('sha256', 'whsec_bench').update(body).digest('hex')
  const { id } = await params
  const isSettled = await settle(id, (JSON.parse(body) as { email: string }).email)
  return new Response(null, { status: isSettled ? 303 : 410, headers: { location: '/' } })
}
