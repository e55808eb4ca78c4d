import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'
import { STRIPE_EVENT_ID } from '@/lib/kernel/stripe-event-id'
import { MAX_DATABASE_INT } from '@/lib/kernel/max-database-int'
import { adminTexts } from './messages'
import { MAX_EXTEND_HOURS } from './rules'

const wholeHours = z
  .number(adminTexts.hoursInvalid)
  .check(
    z.int(adminTexts.hoursInvalid),
    z.gte(1, adminTexts.hoursInvalid),
    z.lte(MAX_EXTEND_HOURS, adminTexts.hoursInvalid),
  )

const changesSomething = z.refine<Record<string, unknown>>(
  (patch) => Object.values(patch).some((value) => value !== undefined),
  adminTexts.nothingToChange,
)

/** The body of an administrator's change to a drop, with the possible actions (docs/product.md#changing-a-drop). */
export const updateDropSchema = z
  .strictObject({
    isActive: z.optional(z.boolean()),
    isFeatured: z.optional(z.boolean()),
    isPinned: z.optional(z.boolean()),
    action: z.optional(z.enum(['extend', 'end', 'restore', 'archive'])),
    hours: z.optional(wholeHours),
  })
  .check(changesSomething)
export type UpdateDropInput = z.infer<typeof updateDropSchema>

/**
 * The body of a call that gives every running drop more hours after an outage. With `endedSince`, drops whose time has
 * run out since then may go live again.
 */
export const extendLiveDropsSchema = z.strictObject({
  hours: wholeHours,
  endedSince: z.optional(z.iso.datetime(adminTexts.sinceInvalid)),
})
export type ExtendLiveDropsInput = z.infer<typeof extendLiveDropsSchema>

/** Converts the text of a field into hours. */
const typedHours = z.pipe(z.pipe(z.string(), z.transform(Number)), wholeHours)

/** The admin panel's form for extending or restoring one drop. */
export const hoursFormSchema = z.strictObject({ hours: typedHours })

/**
 * The admin panel's form for all live drops. `endedSince` is a local date and time, or null when ended drops stay
 * ended.
 */
export const extendLiveDropsFormSchema = z.strictObject({
  hours: typedHours,
  endedSince: z.nullable(
    z.pipe(
      z.string().check(z.refine((typed) => !Number.isNaN(Date.parse(typed)), adminTexts.sinceInvalid)),
      z.transform((typed: string) => new Date(typed).toISOString()),
    ),
  ),
})

/**
 * Returns the schema of a form that asks for a word before a change that must not happen by accident. The case of the
 * letters does not matter.
 */
export const typedWordSchema = (word: string) =>
  z.strictObject({
    word: z.string().check(
      z.trim(),
      z.toUpperCase(),
      z.refine((typed) => typed === word),
    ),
  })

/**
 * The id in a path. A number above the largest possible id is lowered to that id, which no row has in practice. Any
 * other string, and a number of more than 40 digits, is refused.
 */
export const idParams = z.object({
  id: z.pipe(
    z.string().check(z.regex(/^\d{1,40}$/)),
    z.transform((text: string) => Math.min(Number(text), MAX_DATABASE_INT)),
  ),
})

const cursor = z.optional(
  z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/)),
    z.transform((text: string) => Math.min(Number(text), MAX_DATABASE_INT)),
  ),
)
const query = z.optional(z.string().check(...maxCharacters(200)))
const limit = z._default(
  z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/)),
    z.transform((text: string) => Math.min(200, Math.max(1, Number(text)))),
  ),
  100,
)

/**
 * The query parameters of the lists: the search words, the last id of the previous page, the number of rows, and the
 * filters.
 */
export const listUsersSchema = z.object({
  q: query,
  cursor,
  limit,
  show: z.optional(z.enum(['all', 'pro', 'free', 'suspended', 'admin', 'disconnected', 'deleted'])),
})
export type ListUsersInput = z.infer<typeof listUsersSchema>

export const listDropsSchema = z.object({
  q: query,
  cursor,
  limit,
  type: z.optional(z.enum(['all', 'physical', 'digital', 'service'])),
  show: z.optional(z.enum(['all', 'active', 'scheduled', 'inactive', 'promoted', 'review', 'removed'])),
})
export type ListDropsInput = z.infer<typeof listDropsSchema>

/** The query of the search over everything in the panel. */
export const panelSearchSchema = z.strictObject({
  q: z.string().check(z.trim(), z.minLength(1), ...maxCharacters(200), z.regex(/^[^\0]*$/)),
})
export type PanelSearch = z.infer<typeof panelSearchSchema>

export const eventIdSchema = z.strictObject({ id: z.string().check(z.regex(STRIPE_EVENT_ID)) })

/** A value from the query string. One that is too long or contains NUL, which Postgres cannot store, is ignored. */
const words = (maxLength: number) =>
  z.catch(z.optional(z.string().check(z.trim(), ...maxCharacters(maxLength), z.regex(/^[^\0]*$/))), undefined)

/** The filters of the admin panel's pages, from the query string. Invalid values are ignored. */
export const auditFilterSchema = z.object({
  actor: words(254),
  action: z.catch(z.optional(z.string().check(z.regex(/^[a-z]{1,20}$/))), undefined),
  target: words(60),
  before: z.catch(cursor, undefined),
})
export type AuditFilter = z.infer<typeof auditFilterSchema>

export const orderFilterSchema = z.object({
  q: words(254),
  show: z.catch(
    z.enum([
      'all',
      'stuck',
      'owed',
      'currency',
      'pending',
      'paid',
      'shipped',
      'delivered',
      'done',
      'refunded',
      'disputed',
      'expired',
    ]),
    'all',
  ),
  before: words(100),
})
export type OrderFilter = z.infer<typeof orderFilterSchema>

export const eventFilterSchema = z.object({
  show: z.catch(z.enum(['all', 'open', 'orphaned']), 'all'),
  before: z.catch(z.optional(z.iso.datetime()), undefined),
})
export type EventFilter = z.infer<typeof eventFilterSchema>
