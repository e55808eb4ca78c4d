import 'server-only'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { hashPassword } from '@/lib/infra/password'
import { newSecret } from '@/lib/kernel/id'
import { demoAdmin, demoDrops, demoPassword, demoSellers } from './demo-data'
import { seedDrop, storeDigitalFile, type StoredObjects, storePictures } from './seed-drop'
import { seedOrders } from './seed-orders'

/** Fills an empty database with demo sellers, drops and orders. A database that has any account is left alone. */
export async function seedDemo(): Promise<void> {
  if ((await db().user.count()) > 0) return
  // The password in the README is for a machine that nobody else can reach. Elsewhere it is random, and only the operator can
  // read it.
  const password = env().isExposed ? newSecret().slice(0, 20) : demoPassword
  const passwordHash = await hashPassword(password)
  // The slow part comes first, then all rows in one transaction: if the start is interrupted, the next one seeds again.
  const stored = new Map<string, StoredObjects>()
  for (const { key, pictures, digitalFileName } of demoDrops) {
    const file = digitalFileName ? await storeDigitalFile(digitalFileName) : null
    stored.set(key, { photos: await storePictures(pictures), file })
  }
  await db().$transaction(
    async (tx) => {
      const { username, firstName, lastName, email } = demoAdmin
      await tx.user.create({
        data: { username, firstName, lastName, email, passwordHash, isAdmin: true, emailConfirmedAt: new Date() },
      })
      for (const seller of demoSellers) {
        const { key, ...profile } = seller
        const user = await tx.user.create({ data: { ...profile, passwordHash, emailConfirmedAt: new Date() } })
        for (const drop of demoDrops.filter((candidate) => candidate.seller === key)) {
          await seedOrders(tx, await seedDrop(tx, user.id, drop, stored.get(drop.key)!), drop, user)
        }
      }
    },
    { timeout: 60_000 },
  )
  await tellLogins(password)
}

/** Writes the logins to a file, from which the start script prints them. */
async function tellLogins(password: string): Promise<void> {
  const logins = [
    { role: 'seller, free plan', username: 'mira', password },
    { role: 'seller, Pro plan', username: 'juno', password },
    { role: 'administrator', username: demoAdmin.username, password },
  ]
  await writeFile(path.join(env().dataDir, 'demo-logins.json'), JSON.stringify(logins, null, 2), {
    mode: 0o600,
  })
}
