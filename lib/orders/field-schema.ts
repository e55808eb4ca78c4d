import { z } from 'zod/mini'
import { ORDER_ID } from '@/lib/kernel/id'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'

/** The ids and the fields that several schemas of orders have in common. */

export const orderIdSchema = z.string().check(z.regex(ORDER_ID))

/** The format of order tokens in links. It is checked so that no other string reaches a query. */
export const orderTokenSchema = z.string().check(z.regex(/^[A-Za-z0-9]{43}$/))

/** The number of changes of an address, by which a page says what it has shown. */
export const version = z.int().check(z.minimum(0), z.maximum(MAX_DATABASE_INT))
