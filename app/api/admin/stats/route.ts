import { countStats } from '@/lib/admin/count-stats'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({ who: 'admin', run: async (ctx) => ok(await countStats(ctx)) })
