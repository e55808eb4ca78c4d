import 'server-only'
import { storage } from '@/lib/infra/storage'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { bodyFor, bytesHeader } from './responses'

type Range = { start: number; end: number }

/**
 * Returns the single range that a request asks for. Returns null for the whole file, for an invalid range, and for
 * ranges that we do not support (several ranges, or units other than bytes).
 */
function readRange(header: string | null, size: number): Range | 'unsatisfiable' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '')
  if (!match || (match[1] === '' && match[2] === '')) return null
  if (match[1] === '') {
    const last = Number(match[2])
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 }
  }
  const start = Number(match[1])
  const end = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  if (start >= size) return 'unsatisfiable'
  return end < start ? null : { start, end }
}

/**
 * Responds with a stored file as a download, whole or in part (RFC 9110, Range Requests). If the storage offers
 * temporary URLs, the response redirects to one instead, without checking that the file exists. Otherwise the result is
 * null when the file does not exist.
 */
export async function sendFile(request: Request, key: string, fileName: string): Promise<Response | null> {
  const url = await storage().temporaryAddress(key)
  if (url) return new Response(null, { status: 302, headers: { Location: url, 'Cache-Control': 'no-store' } })
  const whole = await storage().open(key, { start: 0, end: 0 })
  if (!whole) return null
  await whole.body.cancel()
  const { size } = whole
  const headers = new Headers({
    'Cache-Control': PERSONAL_CACHE_CONTROL,
    'Content-Type': whole.contentType,
    'Content-Disposition': `attachment; filename*=UTF-8''${percentEncoded(fileName)}`,
    'Accept-Ranges': 'bytes',
    'X-Robots-Tag': 'noindex',
  })
  const range = readRange(request.headers.get('range'), size)
  if (range === 'unsatisfiable') {
    headers.set('Content-Range', `bytes */${size}`)
    return new Response(null, { status: 416, headers })
  }
  const opened = await storage().open(key, range ?? undefined)
  if (!opened) return null
  if (range) headers.set('Content-Range', `bytes ${range.start}-${range.end}/${size}`)
  for (const [name, value] of Object.entries(bytesHeader(opened.bytes))) headers.set(name, value)
  return new Response(await bodyFor(request, opened.body), { status: range ? 206 : 200, headers })
}

/** Percent-encodes a string as RFC 8187 requires. Unlike encodeURIComponent, it also encodes these four characters. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
}
