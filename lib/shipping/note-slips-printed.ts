import 'server-only'
import type { Context } from '@/lib/infra/context'
import type { UserActor } from '@/lib/kernel/actor'
import type { NoteSlipsInput } from './schema'

/**
 * Records which version of the address the seller has printed on the packing slips of their own orders. Other sellers'
 * orders are skipped. Printing an older page later changes nothing.
 */
export async function noteSlipsPrinted(ctx: Context<UserActor>, { slips }: NoteSlipsInput): Promise<void> {
  await ctx.sql(
    'note-slips-printed',
    `UPDATE "Order" o SET "slipVersion" = s."version"
       FROM jsonb_to_recordset(:slips::jsonb) AS s("id" text, "version" int)
      WHERE o."id" = s."id" AND o."sellerId" = :sellerId AND s."version" <= o."addressVersion"
        AND COALESCE(o."slipVersion", -1) < s."version"`,
    { slips: JSON.stringify(slips), sellerId: ctx.actor.userId },
  )
}
