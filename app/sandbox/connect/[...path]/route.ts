import { standIn } from '@/lib/infra/stripe'

async function handler(request: Request): Promise<Response> {
  return (await standIn()?.pages(request)) ?? new Response('Not found', { status: 404 })
}

export { handler as GET, handler as POST }
