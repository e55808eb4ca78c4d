import { sitemap } from '@/lib/http/sitemap'

export const dynamic = 'force-dynamic'

export function GET(): Promise<Response> {
  return sitemap()
}
