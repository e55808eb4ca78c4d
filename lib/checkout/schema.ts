import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { chosenCountry, dropNumber, purchaseFields, quantity, selectedVariants } from './field-schema'
import { checkoutTexts } from './messages'

const dropId = z.union([dropNumber, z.pipe(z.string().check(z.regex(/^\d{1,9}$/)), z.transform(Number))])

/**
 * The body of POST /api/checkout/create-session (docs/contract.md#calls-about-buying). productType is accepted but
 * ignored, because the drop's row decides (docs/product.md#prices-and-quantities).
 */
export const createSessionSchema = z.strictObject({
  dropId,
  productType: z.optional(z.string().check(...maxCharacters(20))),
  quantity,
  selectedVariants: z.optional(selectedVariants),
  ...purchaseFields,
})

const typedQuantity = z.pipe(
  z.string().check(z.regex(/^(?:[1-9]|10)$/, checkoutTexts.badQuantity)),
  z.transform(Number),
)

/** The form behind the buy button, as a browser without JavaScript posts it. */
export const buyFormSchema = z.object({
  quantity: z._default(typedQuantity, 1),
  /**
   * The quantity chosen in the bar at the bottom of a phone screen. Both fields for the quantity belong to one form.
   */
  barQuantity: z.optional(typedQuantity),
  /** The value of the drop's option. */
  option: z.optional(z.string().check(...maxCharacters(100, checkoutTexts.badVariants))),
  ...purchaseFields,
})

/** The body of POST /api/create-payment-intent (docs/contract.md#calls-about-buying, docs/product.md#options). */
export const createPaymentIntentSchema = z.strictObject({
  dropId: dropNumber,
  selectedVariants: z.optional(selectedVariants),
  ...purchaseFields,
})

/** The form of the page on which a person from the waitlist claims a unit. */
export const claimFormSchema = z.object({ country: chosenCountry })

export type SelectedVariants = z.infer<typeof selectedVariants>

/**
 * Reads the `variants` parameter of /checkout/{dropId}, which holds the selected variants as JSON.
 * @returns an empty object when the parameter is missing or empty; null when it is something else
 */
export function readVariants(value: string | string[] | undefined): SelectedVariants | null {
  if (value === undefined || value === '') return {}
  try {
    return selectedVariants.safeParse(JSON.parse(String(value))).data ?? null
  } catch {
    return null
  }
}
