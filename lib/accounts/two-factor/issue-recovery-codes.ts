import 'server-only'
import type { Context } from '@/lib/infra/context'
import { newRecoveryCode } from '@/lib/kernel/id'
import { recoveryCodeHash } from './spend-second-factor'

const RECOVERY_CODES = 10

/**
 * Replaces the account's recovery codes.
 * @returns the new codes in plain text; only their hashes are stored.
 */
export async function issueRecoveryCodes(tx: Context, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: recoveryCodeHash(userId, code) })),
  })
  return codes
}
