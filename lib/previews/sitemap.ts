import 'server-only'
import {
  listSitemapRows,
  listSitemapStarts,
  SITEMAP_PAGE,
  type SitemapKind,
  type SitemapRow,
} from '@/lib/drops/queries'
import { boundedQueue } from '@/lib/infra/bounded-queue'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { sharedRead } from '@/lib/infra/shared-read'

const PAGES = ['/', '/api-docs', '/privacy-policy', '/terms-of-service', '/prohibited-content'] as const
const KINDS = ['drops', 'profiles'] as const satisfies readonly SitemapKind[]

// Usernames and slugs contain only letters, digits, hyphens and underscores, and the origin is ours, so nothing needs
// escaping.
const location = (path: string) => `<loc>${env().appUrl}${path}</loc>`

function urlset(rows: readonly Pick<SitemapRow, 'path' | 'changedAt'>[], pages: readonly string[] = []): string {
  const urls = [
    ...pages.map((path) => `<url>${location(path)}</url>`),
    ...rows.map((row) => `<url>${location(row.path)}<lastmod>${row.changedAt.toISOString()}</lastmod></url>`),
  ]
  return `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls.join('')}</urlset>`
}

function xml(body: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${body}`, {
    headers: { 'Content-Type': 'application/xml; charset=utf-8', 'Cache-Control': 'public, max-age=300, s-maxage=300' },
  })
}

/**
 * Returns the whole sitemap as one file, or the list of its files when it does not fit into one. Simultaneous requests
 * share the result, because the list reads every drop and profile.
 */
export async function sitemap(pageSize = SITEMAP_PAGE): Promise<Response> {
  return xml(await sharedRead(`sitemap-${pageSize}`, () => sitemapText(pageSize)))
}

async function sitemapText(pageSize: number): Promise<string> {
  const starts = await Promise.all(KINDS.map((kind) => listSitemapStarts(database(), kind, pageSize)))
  if (starts.every((ids) => ids.length === 1)) {
    const rows = await Promise.all(KINDS.map((kind) => listSitemapRows(database(), kind, 0, pageSize)))
    return urlset(rows.flat(), PAGES)
  }
  const files = ['/sitemaps/pages.xml']
  KINDS.forEach((kind, at) => files.push(...(starts[at] ?? []).map((id) => `/sitemaps/${kind}-${id}.xml`)))
  const entries = files.map((path) => `<sitemap>${location(path)}</sitemap>`).join('')
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</sitemapindex>`
}

/**
 * Each process reads one file at a time, because it has up to 5,000 entries and anyone may ask for any number of
 * different files. One network could otherwise keep most connections to the database busy, for which buyers wait.
 */
const inLine = boundedQueue({ name: 'sitemaps', atOnce: 1, waiting: 20, retryAfterSeconds: 5 })

/**
 * Returns one file of the list; null for an unknown name.
 * @throws QueueFull
 */
export async function sitemapFile(name: string, pageSize = SITEMAP_PAGE): Promise<Response | null> {
  if (name === 'pages.xml') return xml(urlset([], PAGES))
  const match = /^(drops|profiles)-(\d{1,10})\.xml$/.exec(name)
  if (!match) return null
  const [, kind, afterId] = match
  return xml(urlset(await inLine(() => listSitemapRows(database(), kind as SitemapKind, Number(afterId), pageSize))))
}
