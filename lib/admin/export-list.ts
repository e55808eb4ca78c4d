import 'server-only'
import { assertSteppedUp } from '@/lib/accounts/guards'
import { type Context, transaction } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import { streamCsv } from '@/lib/kernel/stream-csv'
import { toDecimal } from '@/lib/kernel/money'
import { canonicalIdentifier } from '@/lib/drops/rules'
import { recordAudit } from '@/lib/platform/record-audit'
import { listDrops, listUsers } from './queries'
import { toAdminUserView } from './view'

/** How many rows are read and written at a time, so that a long list does not use up the memory. */
const BATCH = 1_000

type Page = { rows: (string | number | null)[][]; lastId: number | undefined }
type Reader = (ctx: Context, cursor: number | undefined, now: Date) => Promise<Page>

const flag = (isOn: boolean) => (isOn ? 'yes' : 'no')

const lists = {
  users: {
    header: ['id', 'username', 'firstName', 'lastName', 'email', 'plan', 'admin', 'verified', 'suspended', 'createdAt'],
    read: async (ctx, cursor, now) => {
      const users = (await listUsers(ctx.reading, { limit: BATCH, cursor })).map((user) => toAdminUserView(user, now))
      const rows = users.map((user) => [
        user.id,
        user.username,
        user.firstName,
        user.lastName,
        user.email,
        user.plan,
        flag(user.isAdmin),
        flag(user.isVerified),
        flag(user.isSuspended),
        user.createdAt,
      ])
      return { rows, lastId: users.at(-1)?.id }
    },
  },
  drops: {
    header: [
      'id',
      'link',
      'title',
      'type',
      'price',
      'quantity',
      'sold',
      'views',
      'active',
      'owner',
      'ownerEmail',
      'endTime',
    ],
    read: async (ctx, cursor, now) => {
      const drops = await listDrops(ctx.reading, { limit: BATCH, cursor })
      const rows = drops.map((drop) => [
        drop.id,
        canonicalIdentifier(drop),
        drop.title,
        drop.productType,
        toDecimal(drop.priceCents),
        drop.quantity,
        drop.purchases,
        drop.views,
        flag(drop.isActive && drop.endTime.getTime() > now.getTime()),
        drop.sellerUsername,
        drop.sellerEmail,
        drop.endTime.toISOString(),
      ])
      return { rows, lastId: drops.at(-1)?.id }
    },
  },
} as const satisfies Record<string, { header: string[]; read: Reader }>

export type ExportedList = keyof typeof lists
export const exportedLists = Object.keys(lists) as [ExportedList, ...ExportedList[]]

/**
 * Streams a whole list as CSV. Both lists contain email addresses, so each export is written to the audit log.
 * @throws TWO_FACTOR_REQUIRED, STEP_UP_REQUIRED
 */
export async function exportList(ctx: Context<UserActor>, name: ExportedList): Promise<ReadableStream<Uint8Array>> {
  assertSteppedUp(ctx)
  await transaction(ctx, (tx) => recordAudit(tx, { action: `export.${name}`, targetType: 'platform', targetId: 1 }))
  return streamCsv(lists[name].header, readRows(ctx, name))
}

async function* readRows(ctx: Context, name: ExportedList) {
  const now = ctx.clock.now()
  let cursor: number | undefined
  for (;;) {
    const { rows, lastId } = await lists[name].read(ctx, cursor, now)
    yield rows
    if (rows.length < BATCH || lastId === undefined) return
    cursor = lastId
  }
}
