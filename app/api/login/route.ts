import { ownPath } from '@/lib/http/own-path'

// The page /subscribe and the upgrade buttons send visitors without a session here (docs/product.md#subscribe-page).
// The path to return to is passed on (docs/product.md#return-addresses).
export function GET(request: Request): Response {
  const back = ownPath(new URL(request.url).searchParams.get('redirect') ?? undefined)
  return new Response(null, { status: 302, headers: { Location: `/login?redirect=${encodeURIComponent(back)}` } })
}
