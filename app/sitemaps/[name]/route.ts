import { sitemapFile } from '@/lib/previews/sitemap'

export async function GET(_request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return (await sitemapFile((await params).name)) ?? new Response('Not found', { status: 404 })
}
