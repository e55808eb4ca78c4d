'use server'

import { revalidatePath } from 'next/cache'
import { action } from '@/lib/http/action'
import { appealSchema } from '@/lib/trust/schema'
import { submitAppeal } from '@/lib/trust/submit-appeal'

export const submitAppealAction = action({
  who: 'seller',
  input: appealSchema,
  run: async (ctx, input) => {
    await submitAppeal(ctx, input)
    revalidatePath('/appeal')
  },
})
