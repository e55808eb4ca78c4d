import { z } from 'zod/mini'
import { maxCharacters } from '@/lib/kernel/max-characters'

const MAX_QUERY = 120

/** The filters of a seller's orders, read from the query string. Invalid values are ignored. */
export const sellerOrderFilterSchema = z.object({
  q: z.catch(z.optional(z.string().check(z.trim(), ...maxCharacters(MAX_QUERY))), undefined),
  show: z.catch(z.enum(['all', 'ship', 'shipped', 'delivered', 'asked', 'refunded', 'disputed']), 'all'),
  drop: z.catch(
    z.optional(
      z.pipe(
        z.string().check(z.regex(/^[1-9]\d{0,8}$/)),
        z.transform((text: string) => Number(text)),
      ),
    ),
    undefined,
  ),
  days: z.catch(z.optional(z.pipe(z.enum(['7', '30', '90', '365']), z.transform(Number))), undefined),
  before: z.catch(z.optional(z.string().check(...maxCharacters(100))), undefined),
})
export type SellerOrderFilter = z.infer<typeof sellerOrderFilterSchema>

/** Whether any filter is set. */
export function isFiltered({ q, show, drop, days }: SellerOrderFilter): boolean {
  return Boolean(q) || show !== 'all' || drop !== undefined || days !== undefined
}

/** Returns the path with the query string of a filter. */
export function filterAddress(path: string, { q, show, drop, days }: SellerOrderFilter, before?: string): string {
  const wanted = { q, show: show === 'all' ? undefined : show, drop, days, before }
  const given = Object.entries(wanted).flatMap(([name, value]): [string, string][] =>
    value ? [[name, String(value)]] : [],
  )
  return given.length > 0 ? `${path}?${new URLSearchParams(given).toString()}` : path
}
