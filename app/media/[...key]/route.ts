import { bodyFor, bytesHeader } from '@/lib/http/responses'
import { storage } from '@/lib/infra/storage'

// Serves public pictures. The content of a key never changes, so every cache may keep it permanently.
export async function GET(request: Request, { params }: { params: Promise<{ key: string[] }> }): Promise<Response> {
  const key = (await params).key.join('/')
  const object = /^(?:drops|profiles)\/.+\.(?:webp|avif)$/.test(key) ? await storage().open(key) : null
  if (!object) return new Response('Not found', { status: 404, headers: { 'Cache-Control': 'no-store' } })
  return new Response(await bodyFor(request, object.body), {
    headers: {
      'Content-Type': object.contentType,
      ...bytesHeader(object.bytes),
      'Cache-Control': 'public, max-age=31536000, immutable',
    },
  })
}
