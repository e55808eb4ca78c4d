'use server'

import { revalidatePath } from 'next/cache'
import { action } from '@/lib/http/action'
import { saveSellerDetails } from '@/lib/traders/save-seller-details'
import { saveTaxRates } from '@/lib/traders/save-tax-rates'
import { sellerDetailsSchema, taxRatesSchema } from '@/lib/traders/schema'

// Suspended sellers may use these actions, too. They still serve orders, whose buyers may need these details.
export const saveSellerDetailsAction = action({
  who: 'seller',
  input: sellerDetailsSchema,
  run: async (ctx, input) => {
    await saveSellerDetails(ctx, input)
    revalidatePath('/account/seller')
  },
})

export const saveTaxRatesAction = action({
  who: 'seller',
  input: taxRatesSchema,
  run: async (ctx, input) => {
    await saveTaxRates(ctx, input)
    revalidatePath('/account/seller')
  },
})
