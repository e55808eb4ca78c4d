import 'server-only'
import type { Prisma } from '@prisma/client'

/** The sequence of an order's keys wherever they are shown or counted; the same as keySql.sequence. */
export const keySequence: Prisma.DropKeyOrderByWithRelationInput[] = [
  { voidedAt: { sort: 'asc', nulls: 'first' } },
  { givenAt: 'asc' },
  { id: 'asc' },
]
