import { z } from 'zod/mini'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { orderTokenSchema } from './field-schema'

const shortEnough = maxCharacters(200, 'This is too long.')
const line = (text: string) => z.string().check(z.trim(), z.minLength(1, text), ...shortEnough)
const optionalLine = z.optional(z.string().check(z.trim(), ...shortEnough))
const email = z.string().check(z.trim(), z.email('Enter an email address like name@example.com.'))

/** What a buyer types into the form of the embedded checkout. */
export const buyerDetailsSchema = z.object({
  email,
  name: optionalLine,
  line1: optionalLine,
  line2: optionalLine,
  city: optionalLine,
  state: optionalLine,
  postalCode: optionalLine,
  country: optionalLine,
  phone: optionalLine,
})
export type BuyerDetails = z.infer<typeof buyerDetailsSchema>

/** What a buyer types into the form for an order that is shipped (docs/product.md#what-the-buyer-is-asked). */
export const parcelDetailsSchema = z.object({
  email,
  name: line('Enter the name of the person who gets the parcel.'),
  line1: line('Enter the street and house number.'),
  line2: optionalLine,
  city: line('Enter the city.'),
  state: optionalLine,
  postalCode: line('Enter the postal code.'),
  country: z.enum(SHIPPING_COUNTRIES, 'Choose the country.'),
  phone: z.optional(
    z.string().check(z.trim(), z.regex(/^(\+?[\d\s().-]{5,30})?$/, 'Enter a phone number like +1 555 555 0100.')),
  ),
})

/** A missing detail counts as empty, so that it is refused with the text of its field. */
export const given = z._default(z.string().check(...maxCharacters(1_000)), '')

/** The form in which a buyer changes the address of an order. The address is checked as in the embedded checkout. */
export const addressDetailsSchema = z.omit(parcelDetailsSchema, { email: true })
export const changeAddressSchema = z.strictObject({ token: orderTokenSchema, ...addressDetailsSchema.shape })
export type ChangeAddressInput = z.infer<typeof changeAddressSchema>

/** The same form as a browser sends it, before the address is checked. */
export const typedAddressSchema = z.strictObject({
  name: given,
  line1: given,
  line2: given,
  city: given,
  state: given,
  postalCode: given,
  country: given,
  phone: given,
})
