import 'server-only'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import type { User } from '@prisma/client'
import { endSellerDrops } from '@/lib/drops/end-seller-drops'
import { type Context, systemContext, transaction } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { verifyPassword } from '@/lib/infra/password'
import { recordAudit } from '@/lib/platform/record-audit'
import { demoAdmin, demoPassword, demoSellers } from './demo-data'

const people = [demoAdmin, ...demoSellers]

/**
 * Closes the demo's accounts, because their password is in the README. The caller must check that the installation is
 * exposed: others can reach it, or it takes real payments. Nobody can log in to a closed account, its sessions end, and
 * its drops are hidden. While SEED_DEMO=1 is set, only accounts that still have the README's password are closed,
 * because a demo that others can reach gets a random password.
 * @returns how many accounts were closed
 */
export async function closeDemo(): Promise<number> {
  const where = {
    deletedAt: null,
    OR: [
      { email: { in: people.map(({ email }) => email) } },
      { username: { in: people.map((one) => one.username) } },
      // The demo's administrator may have another address and name by now, but still the published password.
      { isAdmin: true },
    ],
  }
  const candidates = await db().user.findMany({ where })
  let closed = 0
  for (const user of candidates) {
    const isClosed = user.isSuspended && user.passwordHash === ''
    if (isClosed || !(await mustClose(user))) continue
    await transaction(systemContext('close-demo'), (tx) => closeAccount(tx, user))
    closed += 1
  }
  if (closed > 0) await rm(path.join(env().dataDir, 'demo-logins.json'), { force: true })
  return closed
}

const REASON = 'An account of the demo, whose password is published.'

async function mustClose({ email, passwordHash }: User): Promise<boolean> {
  const isOfDemo = people.some((one) => one.email === email)
  return (isOfDemo && !env().seedDemo) || verifyPassword(passwordHash, demoPassword)
}

async function closeAccount(tx: Context, { id: userId }: User): Promise<void> {
  await tx.db.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId} FOR UPDATE`
  await tx.db.user.update({
    where: { id: userId },
    data: {
      isAdmin: false,
      isSuspended: true,
      suspendedUntil: null,
      suspensionReason: REASON,
      passwordHash: '',
    },
  })
  await tx.db.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } })
  await tx.db.token.deleteMany({ where: { userId } })
  await tx.db.recoveryCode.deleteMany({ where: { userId } })
  await tx.db.totpCredential.deleteMany({ where: { userId } })
  await tx.db.passkey.deleteMany({ where: { userId } })
  await endSellerDrops(tx, userId)
  await recordAudit(tx, { action: 'demo.close', targetType: 'user', targetId: userId, after: { isSuspended: true } })
}
