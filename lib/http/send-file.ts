import 'server-only'
import { storage } from '@/lib/infra/storage'
import { PERSONAL_CACHE_CONTROL } from '@/lib/kernel/response-headers.mjs'
import { bytesHeader } from './responses'

type Range = { start: number; end: number }

/**
 * The single range that a request asks for; null for the whole file, and for forms we do not support (several ranges,
 * other units).
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
 * Responds with a stored file as a download, whole or in part (RFC 9110, Range Requests). Where the storage offers
 * temporary addresses, redirects to one instead. Null when the file does not exist.
 */
export async function sendFile(request: Request, key: string, fileName: string): Promise<Response | null> {
  const address = await storage().temporaryAddress(key)
  if (address) return new Response(null, { status: 302, headers: { Location: address, 'Cache-Control': 'no-store' } })
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
  return new Response(opened.body, { status: range ? 206 : 200, headers })
}

/** Percent-encodes a text as RFC 8187 requires; encodeURIComponent leaves these four characters alone. */
function percentEncoded(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}
