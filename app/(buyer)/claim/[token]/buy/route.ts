import { z } from 'zod/mini'
import { urlencoded } from '@/lib/http/input'
import { isShownToAPerson } from '@/lib/http/plain-forms/refusal-page'
import { seeOther } from '@/lib/http/responses'
import { route } from '@/lib/http/route'
import { AppError } from '@/lib/kernel/app-error'
import { claimFormSchema } from '@/lib/checkout/schema'
import { claimUnit } from '@/lib/waitlist/claim-unit'
import { waitlistTokenSchema } from '@/lib/waitlist/schema'

export const POST = route({
  who: 'anyone',
  params: z.object({ token: waitlistTokenSchema }),
  input: urlencoded(claimFormSchema),
  run: async (ctx, { country }, { token }, request) => {
    try {
      return seeOther(await claimUnit(ctx, token, country))
    } catch (error) {
      // When the claim has ended, a browser is sent back to the claim page, which says so and links to the drop.
      const isOver = error instanceof AppError && error.status === 410
      if (isOver && isShownToAPerson(request)) return seeOther(`/claim/${token}`)
      throw error
    }
  },
})
