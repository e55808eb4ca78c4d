import 'server-only'
import type { Context } from '@/lib/infra/context'
import { keyedHash, sha256 } from '@/lib/infra/crypto'
import { newSecret } from '@/lib/kernel/id'

/**
 * Creates followers' personal links to a drop with early access, and returns the tokens by follower id
 * (docs/product.md#early-access). The database stores only hashes. There is one link per mailbox and drop. A follower
 * whose email was recalled, or who left and follows again, gets a new token for the same link, so a link that was used
 * for a purchase stays used. Call it with the followers' rows locked.
 */
export async function issueEarlyLinks(
  tx: Pick<Context, 'sql'>,
  dropId: number,
  followers: readonly { id: number; mailbox: string }[],
): Promise<Map<number, string>> {
  const tokens = new Map(followers.map(({ id }) => [id, newSecret()]))
  await tx.sql(
    'issue-early-links',
    `INSERT INTO "EarlyLink" ("dropId", "followerId", "mailboxKey", "tokenHash")
     SELECT :dropId, * FROM unnest(:followers::int[], :mailboxKeys::text[], :hashes::text[])
     ON CONFLICT ("dropId", "mailboxKey") DO UPDATE
        SET "followerId" = EXCLUDED."followerId", "tokenHash" = EXCLUDED."tokenHash"`,
    {
      dropId,
      followers: followers.map(({ id }) => id),
      mailboxKeys: followers.map(({ mailbox }) => keyedHash('early-mailbox', mailbox).slice(0, 32)),
      hashes: followers.map(({ id }) => sha256(tokens.get(id) ?? '')),
    },
  )
  return tokens
}
