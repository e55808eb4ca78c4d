import 'server-only'
import type { Tx } from '@/lib/infra/db'
import { newRecoveryCode } from '@/lib/kernel/id'
import { recoveryCodeHash } from './spend-second-factor'

const RECOVERY_CODES = 10

/** Replaces the account's recovery codes. @returns the new ones in plain text, which is stored nowhere. */
export async function issueRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
  await tx.recoveryCode.deleteMany({ where: { userId } })
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: recoveryCodeHash(userId, code) })),
  })
  return codes
}
