import 'server-only'
import { uniqueViolation } from '@/lib/infra/database-errors'
import { db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { hashPassword } from '@/lib/infra/password'
import { newUniqueId } from '@/lib/kernel/id'

/**
 * Creates the administrator that ADMIN_EMAIL and ADMIN_PASSWORD name, or turns the existing account into one. Anyone
 * could have signed up with that address before, so the account gets the operator's password and loses its sessions,
 * its emailed links and its second factor. A suspension ends, too. An account that is already an administrator is left
 * unchanged, so that a password that was changed later survives the next start.
 */
export async function ensureAdmin(): Promise<void> {
  const { adminEmail, adminPassword } = env()
  if (!adminEmail || !adminPassword) return
  const email = adminEmail.toLowerCase()
  const existing = await db().user.findFirst({ where: { email, deletedAt: null } })
  if (existing?.isAdmin) return
  const admin = { isAdmin: true, passwordHash: await hashPassword(adminPassword), emailConfirmedAt: new Date() }
  if (existing) {
    const userId = existing.id
    await db().$transaction([
      db().user.update({ where: { id: userId }, data: { ...admin, isSuspended: false } }),
      db().session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } }),
      db().token.deleteMany({ where: { userId } }),
      db().recoveryCode.deleteMany({ where: { userId } }),
      db().totpCredential.deleteMany({ where: { userId } }),
      db().passkey.deleteMany({ where: { userId } }),
    ])
    return
  }
  const username = `admin_${newUniqueId().slice(1, 7)}`
  await db()
    .user.create({ data: { ...admin, email, username, firstName: 'Admin', lastName: '' } })
    .catch((error: unknown) => {
      // Another process that started at the same time has created the account.
      if (!uniqueViolation(error)) throw error
    })
}
