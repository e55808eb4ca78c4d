import { closeDatabase, db } from '@/lib/infra/db'
import { verifyPassword } from '@/lib/infra/password'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { ensureAdmin } from '@/prisma/seed/ensure-admin'
import { makeSeller } from '@/tests/support/factories'

// These variables have to be set before the environment is first read.
Object.assign(process.env, { ADMIN_EMAIL: 'Boss@corp.example', ADMIN_PASSWORD: 'the operator’s own' })

afterAll(closeDatabase)

it('locks out a person who had already signed up with the administrator’s email address', async () => {
  const { id: userId } = await makeSeller({ email: 'boss@corp.example' })
  const soon = new Date(Date.now() + DAY_MS)
  await db().session.create({ data: { id: newSecret(), userId, expiresAt: soon } })
  await db().token.create({
    data: { userId, purpose: 'emailChange', tokenHash: newSecret(), email: 'stranger@example.com', expiresAt: soon },
  })
  await db().totpCredential.create({ data: { userId, secretEncrypted: 'x', confirmedAt: new Date() } })
  await db().recoveryCode.create({ data: { userId, codeHash: newSecret() } })
  await ensureAdmin()
  const include = { sessions: { where: { revokedAt: null } }, tokens: true, totp: true, recoveryCodes: true }
  const admin = await db().user.findUniqueOrThrow({ where: { id: userId }, include })
  expect(admin).toMatchObject({ isAdmin: true, sessions: [], tokens: [], totp: null, recoveryCodes: [] })
  expect(await verifyPassword(admin.passwordHash, 'the operator’s own')).toBe(true)
  // A second factor that the administrator sets up survives the next start.
  await db().totpCredential.create({ data: { userId, secretEncrypted: 'y', confirmedAt: new Date() } })
  await ensureAdmin()
  expect(await db().totpCredential.count({ where: { userId } })).toBe(1)
})
