import 'server-only'
import { NextResponse, type NextRequest } from 'next/server'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { platformError } from '@/lib/platform/messages'
import { readText } from './input'
import { isSameOrigin } from './origin'
import { failed } from './responses'

/** The same limit as in next.config.js. */
const MAX_BYTES = 7 * 1024 * 1024
/** More than our pages ever send, and far below the depth at which parsing fails. */
const MAX_DEPTH = 20
/** The most arguments of a call. Our actions take one. */
const MAX_ARGUMENTS = 10
/** React refuses longer lists with an error that Next answers with a 500. */
const MAX_LIST = 500
/**
 * How React writes values that JSON cannot express, and ("$$") a text that begins with a dollar. Any other string with a
 * leading dollar is a reference, which our pages never send.
 */
const SPECIAL = /^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$)/

/** Whether a request calls a server action. The header alone proves nothing, because a GET may carry it too. */
export function isActionRequest(request: NextRequest): boolean {
  return request.method === 'POST' && request.headers.has('next-action')
}

/**
 * Refuses posts that Next would answer with a 500 before action() runs (docs/contract.md#errors): a server action
 * called from another origin, with too large a body or with arguments that our pages do not send; and a multipart form,
 * which no page of ours takes.
 * @returns null for every other request
 */
export async function refusalOfPost(request: NextRequest): Promise<NextResponse | null> {
  const isAction = isActionRequest(request)
  const isOfParts = (request.headers.get('content-type') ?? '').startsWith('multipart/') && !isStandIn(request)
  if (request.method !== 'POST' || (!isAction && !isOfParts)) return null
  if (!isSameOrigin(request)) return refuse('CROSS_ORIGIN')
  if (isOfParts) return refuse('WRONG_CONTENT_TYPE')
  try {
    const body = await readText(request, MAX_BYTES)
    return isReadable(body) ? null : refuse('MALFORMED_BODY')
  } catch (error) {
    if (error instanceof AppError) return answerWith(error)
    throw error
  }
}

/** Stripe's stand-in reads its requests itself, including multipart forms. */
const isStandIn = (request: NextRequest) => request.nextUrl.pathname.startsWith('/sandbox/')

const refuse = (code: Parameters<typeof platformError>[0]) => answerWith(platformError(code))

function answerWith(error: AppError): NextResponse {
  const { status, headers, body } = failed(error, newId('req'))
  return new NextResponse(body, { status, headers })
}

/** Whether a body is a list of plain values, without references, long lists or deep nesting. */
function isReadable(body: string): boolean {
  let level: unknown[]
  try {
    const parsed: unknown = JSON.parse(body)
    if (!Array.isArray(parsed) || parsed.length > MAX_ARGUMENTS) return false
    level = parsed
  } catch {
    return false
  }
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false
    if (level.some((value) => Array.isArray(value) && value.length > MAX_LIST)) return false
    if (level.some((value) => typeof value === 'string' && value.startsWith('$') && !SPECIAL.test(value))) return false
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return true
}
