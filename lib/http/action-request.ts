import 'server-only'
import { NextResponse, type NextRequest } from 'next/server'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { isSameOrigin } from './origin'
import { failed } from './responses'

/** As much as next.config.js lets through. */
const MAX_BYTES = 7 * 1024 * 1024
/** Deeper than anything our pages send, and far from where reading it fails. */
const MAX_DEPTH = 20
/** What JSON has no word for, as React spells it; everything else behind a dollar points to something our pages never send. */
const SPECIAL = /^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$)/

/** Whether a page is asked to run a server action. The header alone is nothing: anybody may send it with a GET. */
export function isActionRequest(request: NextRequest): boolean {
  return request.method === 'POST' && request.headers.has('next-action')
}

/**
 * Refuses what Next would answer with a 500 before action() is asked (CONTRACT, Errors): a call of a server action from elsewhere,
 * too large, or not as our pages send it; and a form of parts, which no page of ours takes.
 * @returns null for everything else
 */
export async function refusalOfPost(request: NextRequest): Promise<NextResponse | null> {
  const isAction = isActionRequest(request)
  const isOfParts = (request.headers.get('content-type') ?? '').startsWith('multipart/') && !isStandIn(request)
  if (request.method !== 'POST' || (!isAction && !isOfParts)) return null
  if (!isSameOrigin(request)) return refuse('CROSS_ORIGIN')
  if (isOfParts) return refuse('WRONG_CONTENT_TYPE')
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES) return refuse('BODY_TOO_LARGE')
  const body = await request.text()
  if (Buffer.byteLength(body) > MAX_BYTES) return refuse('BODY_TOO_LARGE')
  return isReadable(body) ? null : refuse('MALFORMED_BODY')
}

/** Stripe's stand-in reads what it is sent by itself, forms of parts too. */
const isStandIn = (request: NextRequest) => request.nextUrl.pathname.startsWith('/sandbox/')

function refuse(code: Parameters<typeof platformError>[0]): NextResponse {
  const { status, headers, body } = failed(platformError(code), newId('req'))
  return new NextResponse(body, { status, headers })
}

/** A list of plain values, not too deep. */
function isReadable(body: string): boolean {
  let level: unknown[]
  try {
    const parsed: unknown = JSON.parse(body)
    if (!Array.isArray(parsed)) return false
    level = parsed
  } catch {
    return false
  }
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false
    if (level.some((value) => typeof value === 'string' && value.startsWith('$') && !SPECIAL.test(value))) return false
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return true
}
