import { answer } from '@/lib/http/answer'
import { sitemapFile } from '@/lib/previews/sitemap'

export function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(
    request,
    async () => (await sitemapFile((await params).name)) ?? new Response('Not found', { status: 404 }),
  )
}
