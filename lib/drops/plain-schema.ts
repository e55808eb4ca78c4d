import { z } from 'zod/mini'
import { DEFAULT_DURATION } from './rules'

const text = (value = '') => z._default(z.string(), value)

/** The text fields of the form for publishing without JavaScript, as they were typed. */
export const plainDropFields = z.strictObject({
  idempotencyKey: text(),
  title: text(),
  description: text(),
  productType: text('physical'),
  price: text(),
  quantity: text('1'),
  condition: text('new'),
  duration: text(String(DEFAULT_DURATION)),
  shippingNote: text(),
  digitalFileUrl: text(),
})
export type PlainDropTexts = z.infer<typeof plainDropFields>
