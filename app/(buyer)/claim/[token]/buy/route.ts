import { z } from 'zod/mini'
import { isShownToAPerson } from '@/lib/http/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { waitlistTokenSchema } from '@/lib/waitlist/schema'

export const POST = route({
  who: 'anyone',
  params: z.object({ token: waitlistTokenSchema }),
  run: async (ctx, _input, { token }, request) => {
    try {
      return seeOther(await claimUnit(ctx, token))
    } catch (error) {
      // The claim page explains why the claim is over and links to the drop.
      const isOver = error instanceof AppError && error.status === 410
      if (isOver && isShownToAPerson(request)) return seeOther(`/claim/${token}`)
      throw error
    }
  },
})
