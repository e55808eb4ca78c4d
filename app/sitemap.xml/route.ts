import { sitemap } from '@/lib/previews/sitemap'

export const dynamic = 'force-dynamic'

export function GET(): Promise<Response> {
  return sitemap()
}
