import { getUsernameEligibility } from '@/lib/accounts/queries'
import { ok } from '@/lib/http/responses'
import { route } from '@/lib/http/route'

export const GET = route({ who: 'seller', run: async (ctx) => ok(await getUsernameEligibility(ctx)) })
