import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { orderIdSchema, orderTokenSchema } from './field-schema'
import { orderTexts } from './messages'

/** The integer id of a row. */
const databaseId = z.int().check(z.positive(), z.maximum(MAX_DATABASE_INT))

/** The key of an order that its seller marks as void. */
export const voidKeySchema = z.strictObject({ orderId: orderIdSchema, keyId: databaseId })

/** The longest message, in characters. A line break counts as one character. */
export const MAX_MESSAGE = 2_000

const message = z
  .string()
  .check(z.trim(), z.minLength(1, orderTexts.emptyMessage), ...maxCharacters(MAX_MESSAGE, orderTexts.longMessage))

/** A message that a buyer sends from the order page. The token in it proves that the sender may see the order. */
export const buyerMessageSchema = z.strictObject({ token: orderTokenSchema, text: message })
export type BuyerMessageInput = z.infer<typeof buyerMessageSchema>

export const findOrderSchema = z.strictObject({
  email: z.string().check(z.trim(), z.toLowerCase(), ...maxCharacters(254), z.email(orderTexts.badEmail)),
})
export type FindOrderInput = z.infer<typeof findOrderSchema>
