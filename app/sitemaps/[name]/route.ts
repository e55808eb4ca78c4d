import { answer } from '@/lib/http/answer'
import { clientIp } from '@/lib/http/client-ip'
import { assertWithinNetworkLimit } from '@/lib/http/guard'
import { networkOf } from '@/lib/kernel/network-address.mjs'
import { sitemapFile } from '@/lib/previews/sitemap'

/** A search engine reads each file once. Without a limit, one network could keep the files from all others. */
const LIMIT = { name: 'sitemap-files', points: 600, windowSeconds: 600 }

export function GET(request: Request, { params }: { params: Promise<{ name: string }> }): Promise<Response> {
  return answer(request, async () => {
    const ip = clientIp(request.headers)
    await assertWithinNetworkLimit(LIMIT, { ip, network: networkOf(ip) })
    return (await sitemapFile((await params).name)) ?? new Response('Not found', { status: 404 })
  })
}
