import { z } from 'zod/mini'
import { orderIdSchema, orderTokenSchema, version } from '@/lib/orders/field-schema'
import { maxCharacters, maxItems } from '@/lib/kernel/max-characters'
import { shippingTexts } from './messages'

export const completeOrderSchema = z.strictObject({ orderId: orderIdSchema })

/**
 * Which packing slips to print, read from the query string: those of one order or of all orders to ship, and the paper
 * size.
 */
export const slipSchema = z.object({
  order: z.catch(z.optional(orderIdSchema), undefined),
  size: z.catch(z.enum(['a4', 'label']), 'a4'),
})

export const trackingText = z.string().check(z.trim(), ...maxCharacters(80), z.regex(/^[^\p{Cc}\p{Cs}]*$/u))

export const markShippedSchema = z.strictObject({
  orderId: orderIdSchema,
  carrier: trackingText,
  trackingNumber: trackingText,
  /** The version of the address that the seller saw. Without it, the address is not compared. */
  addressVersion: z.optional(version),
})
export type MarkShippedInput = z.infer<typeof markShippedSchema>

/** The packing slips that were printed, each with the version of the address on it. */
export const noteSlipsSchema = z.strictObject({
  slips: z.array(z.strictObject({ id: orderIdSchema, version })).check(maxItems(100)),
})
export type NoteSlipsInput = z.infer<typeof noteSlipsSchema>

/**
 * The size limit of a file with tracking numbers: 5,000 lines of our own orders export. next.config.js must allow at
 * least this much.
 */
const MAX_TRACKING_CHARACTERS = 2_000_000

export const trackingFileSchema = z.strictObject({
  csv: z.string().check(
    z.refine((csv) => csv.trim() !== '', shippingTexts.emptyFile),
    ...maxCharacters(MAX_TRACKING_CHARACTERS, shippingTexts.longFile),
  ),
})

/** A day such as "2026-11-30" that exists. */
const day = z.iso.date(shippingTexts.badDay)

/** The buyer's answer to the question about a delay, with the new day that the buyer saw. */
export const answerDelaySchema = z.strictObject({ token: orderTokenSchema, answer: z.enum(['wait', 'refund']), day })
export type AnswerDelayInput = z.infer<typeof answerDelaySchema>

export const proposeShipDaySchema = z.strictObject({ orderId: orderIdSchema, day })
export type ProposeShipDayInput = z.infer<typeof proposeShipDaySchema>
