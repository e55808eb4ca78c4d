import 'server-only'
import { z } from 'zod/mini'
import type { PolicyReport } from '@/lib/platform/note-policy-report'
import { platformError } from '@/lib/platform/messages'
import { contentType, type InputReader, readText } from './input'

const MAX_BYTES = 16 * 1024
const TYPES = new Set(['application/csp-report', 'application/json'])

const text = z._default(z.string(), '')
const reportSchema = z.object({
  'csp-report': z.object({
    'document-uri': text,
    'violated-directive': text,
    'effective-directive': text,
    'blocked-uri': text,
  }),
})

/**
 * Reads a browser's report that a page violated the content security policy. The value is null for any other body. Of
 * the URLs, only parts that cannot be secret are kept: the origin of the blocked resource, and the first segment of the
 * page's path.
 * @throws WRONG_CONTENT_TYPE, BODY_TOO_LARGE
 */
export const policyReportReader: InputReader<PolicyReport | null> = {
  async read(request) {
    if (!TYPES.has(contentType(request))) throw platformError('WRONG_CONTENT_TYPE')
    const body = await readText(request, MAX_BYTES)
    const parsed = reportSchema.safeParse(parse(body))
    if (!parsed.success) return { value: null }
    const report = parsed.data['csp-report']
    const directive = (report['effective-directive'] || report['violated-directive']).split(' ')[0] ?? ''
    if (!/^[a-z-]{3,40}$/.test(directive)) return { value: null }
    return { value: { directive, blocked: originOf(report['blocked-uri']), page: firstPart(report['document-uri']) } }
  },
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

function originOf(url: string): string {
  if (/^[a-z-]{1,20}$/.test(url)) return url
  try {
    const { origin, protocol } = new URL(url)
    return (origin === 'null' ? protocol : origin).slice(0, 100)
  } catch {
    return 'unknown'
  }
}

function firstPart(url: string): string {
  try {
    const [, part = ''] = new URL(url).pathname.split('/')
    return /^[a-z-]{0,40}$/.test(part) ? `/${part}` : 'unknown'
  } catch {
    return 'unknown'
  }
}
