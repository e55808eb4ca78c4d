import { ownPath } from '@/lib/http/own-path'

// Where a page without a session is sent by SPEC §6; the way back comes along (DECISIONS 32).
export function GET(request: Request): Response {
  const back = ownPath(new URL(request.url).searchParams.get('redirect') ?? undefined)
  return new Response(null, { status: 302, headers: { Location: `/login?redirect=${encodeURIComponent(back)}` } })
}
