import { json } from '@/lib/http/input'
import { created } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { startUploadsSchema } from '@/lib/uploads/schema'
import { startUploads } from '@/lib/uploads/start-uploads'

export const POST = route({
  who: 'activeSeller',
  limit: { name: 'uploads', points: 120, windowSeconds: 3600 },
  limitPerAccount: { name: 'uploads-of-account', points: 120, windowSeconds: 3600 },
  input: json(startUploadsSchema),
  run: async (ctx, input) => created({ uploads: await startUploads(ctx, input) }),
})
