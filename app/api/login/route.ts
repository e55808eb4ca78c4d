import { ownPath } from '@/lib/http/own-path'

// Pages send visitors without a session here (docs/product.md#subscribe-page). The return address is passed on
// (docs/product.md#return-addresses).
export function GET(request: Request): Response {
  const back = ownPath(new URL(request.url).searchParams.get('redirect') ?? undefined)
  return new Response(null, { status: 302, headers: { Location: `/login?redirect=${encodeURIComponent(back)}` } })
}
