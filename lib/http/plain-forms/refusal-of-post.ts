import 'server-only'
import { NextResponse, type NextRequest } from 'next/server'
import { AppError } from '@/lib/kernel/app-error'
import { newId } from '@/lib/kernel/id'
import { LARGE_BODY_BYTES, LARGE_BODY_PATH, SMALL_BODY_BYTES } from '@/lib/kernel/large-body-path.mjs'
import { MINUTE_MS, SECOND_MS } from '@/lib/kernel/time'
import { platformError } from '@/lib/platform/messages'
import { toAppError } from '../answer'
import { readText } from '../input'
import { isSameOrigin } from '../origin'
import type { BodyTimes } from '../read-body'
import { failed } from '../responses'
import { readActor } from '../session'

/** The time limits of a large body. LARGE_BODY_BYTES take two minutes over a slow network (500 kbit/s). */
const BODY_TIMES: BodyTimes = { silenceMs: 15 * SECOND_MS, maxMs: 2 * MINUTE_MS }
/** This is deeper than anything our pages send, and far below the depth at which parsing fails. */
const MAX_DEPTH = 20
/**
 * How many values a body may contain. The largest list that our pages send has 100 entries. Parsing and reading a body
 * of a million values would keep the process busy for hundreds of milliseconds.
 */
const MAX_VALUES = 2_000
/** The maximum number of arguments of a call. Our actions have one parameter. */
const MAX_ARGUMENTS = 10
/** React refuses longer lists with an error that Next answers with a 500. */
const MAX_LIST = 500
/**
 * Matches the strings with which React encodes undefined, NaN, the infinities and negative zero. It also matches "$$",
 * with which React encodes a leading dollar sign. Any other string with a leading dollar sign is a reference or a value
 * of another type, which our pages never send.
 */
const SPECIAL = /^\$(?:\$|(?:undefined|NaN|-?Infinity|-0)$)/

/** Whether a request calls a server action. The header alone proves nothing, because a GET may carry it too. */
export function isActionRequest(request: NextRequest): boolean {
  return request.method === 'POST' && request.headers.has('next-action')
}

/**
 * Refuses posts that Next would otherwise answer with a 500 before action() runs (docs/contract.md#errors). It refuses
 * server actions that are called from another origin, with too large a body, or with arguments that our pages do not
 * send. A large body is read only for a user who is signed in. It also refuses multipart forms, because none of our
 * pages accepts them.
 * @returns null for every other request
 */
export async function refusalOfPost(request: NextRequest): Promise<NextResponse | null> {
  const isAction = isActionRequest(request)
  const isMultipart = (request.headers.get('content-type') ?? '').startsWith('multipart/') && !isStandIn(request)
  if (request.method !== 'POST' || (!isAction && !isMultipart)) return null
  if (!isSameOrigin(request)) return refuse('CROSS_ORIGIN')
  if (isMultipart) return refuse('WRONG_CONTENT_TYPE')
  try {
    const isLarge = Number(request.headers.get('content-length') ?? 0) > SMALL_BODY_BYTES
    const mayBeLarge = isLarge && request.nextUrl.pathname === LARGE_BODY_PATH
    if (mayBeLarge && (await readActor(request.cookies)).kind !== 'user') return refuse('NOT_SIGNED_IN')
    const body = await (mayBeLarge
      ? readText(request, LARGE_BODY_BYTES, BODY_TIMES)
      : readText(request, SMALL_BODY_BYTES))
    return hasFewValues(body) && isReadable(body) ? null : refuse('MALFORMED_BODY')
  } catch (error) {
    return answerWith(error instanceof AppError ? error : toAppError(error, newId('req'), request))
  }
}

/** Stripe's stand-in reads its requests itself, including multipart forms. */
const isStandIn = (request: NextRequest) => request.nextUrl.pathname.startsWith('/sandbox/')

const refuse = (code: Parameters<typeof platformError>[0]) => answerWith(platformError(code))

function answerWith(error: AppError): NextResponse {
  const { status, headers, body } = failed(error, newId('req'))
  return new NextResponse(body, { status, headers })
}

/** Whether a JSON text has at most MAX_VALUES values. It stops at the first one too many, and parses nothing. */
function hasFewValues(body: string): boolean {
  let values = 0
  let isText = false
  for (let at = 0; at < body.length; at += 1) {
    const char = body[at]
    if (char === '"') isText = !isText
    else if (isText) at += char === '\\' ? 1 : 0
    else if (char === '[' || char === '{' || char === ',') values += 1
    if (values > MAX_VALUES) return false
  }
  return true
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
