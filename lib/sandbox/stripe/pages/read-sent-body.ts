import 'server-only'
import { cleanText, parseForm } from '../params'

const MAX_BODY_BYTES = 64 * 1024

/** The sent values, by field. */
export type SentFields = Record<string, string>

export type SentBody = { ok: true; fields: SentFields } | { ok: false; status: 400 | 413 | 415; message: string }

const TOO_LARGE: SentBody = { ok: false, status: 413, message: 'The request is too large.' }
const MALFORMED: SentBody = { ok: false, status: 400, message: 'The request could not be read.' }

async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer> | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) return null
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    size += part.value.byteLength
    if (size > MAX_BODY_BYTES) {
      await reader?.cancel()
      return null
    }
    chunks.push(part.value)
  }
  const bytes = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

/** Converts single values to strings and leaves out null. Returns null if a field holds a list, an object or a file. */
function toFields(entries: Iterable<[string, unknown]>): SentFields | null {
  const fields: SentFields = {}
  for (const [name, value] of entries) {
    if (value === null || value === undefined) continue
    if (typeof value === 'object') return null
    fields[name] = cleanText(String(value))
  }
  return fields
}

async function parse(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<Iterable<[string, unknown]> | null> {
  const text = () => new TextDecoder().decode(bytes)
  if (contentType.startsWith('application/json')) {
    const value: unknown = JSON.parse(text())
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : null
  }
  if (contentType.startsWith('multipart/form-data')) {
    return new Response(bytes, { headers: { 'content-type': contentType } }).formData()
  }
  return Object.entries(parseForm(text()))
}

/** Reads a form or a JSON object of at most 64 KiB. Never throws, whatever the client sends. */
export async function readSentBody(request: Request): Promise<SentBody> {
  const contentType = (request.headers.get('content-type') ?? '').toLowerCase()
  if (!/^(application\/json|application\/x-www-form-urlencoded|multipart\/form-data|$)/.test(contentType)) {
    return { ok: false, status: 415, message: 'Send a form or JSON.' }
  }
  try {
    const bytes = await readBytes(request)
    if (!bytes) return TOO_LARGE
    // The boundary of a multipart form is case-sensitive, so the header of such a form is used as it was sent.
    const entries = await parse(
      bytes,
      contentType.startsWith('multipart') ? (request.headers.get('content-type') ?? '') : contentType,
    )
    const fields = entries && toFields(entries)
    return fields ? { ok: true, fields } : MALFORMED
  } catch {
    return MALFORMED
  }
}
