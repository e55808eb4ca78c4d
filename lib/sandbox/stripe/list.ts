import 'server-only'
import { z } from 'zod'
import { invalidRequest, noSuch } from './stripe-fault'
import type { Kind, Objects } from './objects'
import { expandable, integer, text } from './params'
import type { Tx } from './store'

const range = z.strictObject({
  gt: integer().optional(),
  gte: integer().optional(),
  lt: integer().optional(),
  lte: integer().optional(),
})

/** The parameters that nearly every list accepts. */
export const pageParams = {
  limit: integer().optional(),
  starting_after: text(255).optional(),
  ending_before: text(255).optional(),
  created: z.union([integer(), range]).optional(),
  expand: expandable(),
}

export type PageParams = z.output<z.ZodObject<typeof pageParams>>

export type List<T> = { object: 'list'; data: T[]; has_more: boolean; url: string }

type Filter = {
  /** Lists only the objects that have these fields with these values. */
  contains?: Record<string, unknown>
  /** Lists only the objects without this field. */
  lacks?: string
  types?: readonly string[] | undefined
  lookupKeys?: readonly string[] | undefined
}

const COMPARISONS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const

async function sequenceOf(tx: Tx, kind: Kind, id: string, param: string): Promise<number> {
  const [row] = (await tx.find(kind, id))
    ? await tx.query<{ seq: number }>(`SELECT "seq" FROM "SandboxObject" WHERE "id" = $1`, [id])
    : []
  if (!row) throw noSuch(kind, id, param)
  return row.seq
}

/**
 * Returns one page of a list in Stripe's format, newest first. `url` becomes the list's `url` field. Throws StripeFault
 * for an invalid limit or an unknown cursor.
 */
export async function listObjects<K extends Kind>(
  tx: Tx,
  kind: K,
  url: string,
  page: PageParams,
  filter: Filter = {},
): Promise<List<Objects[K]>> {
  const limit = page.limit ?? 10
  if (limit < 1 || limit > 100) {
    throw invalidRequest('Invalid limit: must be between 1 and 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  const values: unknown[] = [kind]
  const conditions = ['"kind" = $1']
  const where = (condition: (placeholder: string) => string, value: unknown) => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  if (filter.contains && Object.keys(filter.contains).length > 0) {
    where((at) => `"json" @> ${at}::jsonb`, JSON.stringify(filter.contains))
  }
  if (filter.lacks !== undefined) where((at) => `NOT "json" ? ${at}`, filter.lacks)
  if (filter.types) where((at) => `"json"->>'type' = ANY(${at}::text[])`, filter.types)
  if (filter.lookupKeys) where((at) => `"json"->>'lookup_key' = ANY(${at}::text[])`, filter.lookupKeys)
  const created = typeof page.created === 'number' ? { gte: page.created, lte: page.created } : (page.created ?? {})
  for (const name of ['gt', 'gte', 'lt', 'lte'] as const) {
    const bound = created[name]
    if (bound !== undefined) where((at) => `("json"->>'created')::bigint ${COMPARISONS[name]} ${at}`, bound)
  }
  const isBackwards = page.ending_before !== undefined
  if (page.starting_after !== undefined) {
    where((at) => `"seq" < ${at}`, await sequenceOf(tx, kind, page.starting_after, 'starting_after'))
  }
  if (page.ending_before !== undefined) {
    where((at) => `"seq" > ${at}`, await sequenceOf(tx, kind, page.ending_before, 'ending_before'))
  }
  const rows = await tx.query<{ json: Objects[K] }>(
    `SELECT "json" FROM "SandboxObject" WHERE ${conditions.join(' AND ')}
     ORDER BY "seq" ${isBackwards ? 'ASC' : 'DESC'} LIMIT ${limit + 1}`,
    values,
  )
  const data = rows.slice(0, limit).map((row) => row.json)
  return { object: 'list', data: isBackwards ? data.reverse() : data, has_more: rows.length > limit, url }
}
