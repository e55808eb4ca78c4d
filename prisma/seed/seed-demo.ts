import 'server-only'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { profilePath } from '@/lib/accounts/rules'
import { consentText } from '@/lib/followers/messages'
import { sha256 } from '@/lib/infra/crypto'
import { db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { hashPassword } from '@/lib/infra/password'
import { newSecret } from '@/lib/kernel/id'
import { DAY_MS } from '@/lib/kernel/time'
import { demoAdmin, demoDrops, demoPassword, demoSellers } from './demo-data'
import { demoDetails } from './demo-details'
import { seedDrop, storeDigitalFile, type StoredObjects, storePictures } from './seed-drop'
import { seedOrders } from './seed-orders'

/** Fills an empty database with demo sellers, drops and orders. A database that has any account stays as it is. */
export async function seedDemo(): Promise<void> {
  if ((await db().user.count()) > 0) return
  // The password in the README is for a machine that nobody else can reach. Elsewhere it is random, and only the
  // operator can read it.
  const password = env().isExposed ? newSecret().slice(0, 20) : demoPassword
  const passwordHash = await hashPassword(password)
  // Storing the files is slow, so it comes first. All other rows are written in one transaction, so that an interrupted
  // start leaves no account and the next start seeds again.
  const stored = new Map<string, StoredObjects>()
  for (const { key, pictures, digitalFileName } of demoDrops) {
    const file = digitalFileName ? await storeDigitalFile(digitalFileName) : null
    stored.set(key, { photos: await storePictures(pictures), file })
  }
  // The file comes before the rows. If the answer to the commit is lost, the next start finds accounts and writes
  // nothing.
  await writeLogins(password)
  await db().$transaction(
    async (tx) => {
      const { username, firstName, lastName, email } = demoAdmin
      await tx.user.create({
        data: { username, firstName, lastName, email, passwordHash, isAdmin: true, emailConfirmedAt: new Date() },
      })
      for (const seller of demoSellers) {
        const { key, publicProfile, followers = 0, ...profile } = seller
        const user = await tx.user.create({
          data: {
            ...profile,
            passwordHash,
            emailConfirmedAt: new Date(),
            ...(publicProfile ? { publicProfile: { create: publicProfile } } : {}),
            ...(demoDetails[key] ? { details: { create: demoDetails[key] } } : {}),
            followers: { create: demoFollowers(seller.username, followers) },
          },
        })
        for (const drop of demoDrops.filter((candidate) => candidate.seller === key)) {
          await seedOrders(tx, await seedDrop(tx, user.id, drop, stored.get(drop.key)!), drop, user)
        }
      }
    },
    { timeout: 60_000 },
  )
}

/** The followers of a demo seller, who confirmed one a day. */
function demoFollowers(username: string, count: number) {
  return Array.from({ length: count }, (_, at) => {
    const email = `follower${at + 1}.${username}@example.com`
    const confirmedAt = new Date(Date.now() - (at + 1) * DAY_MS)
    const asked = { askedAt: confirmedAt, confirmedAt, page: profilePath(username), consentText: consentText(username) }
    return { email, mailbox: email, tokenHash: sha256(newSecret()), ...asked }
  })
}

/** Writes the logins to the file from which the start script prints them. */
async function writeLogins(password: string): Promise<void> {
  const logins = [
    { role: 'seller, free plan', username: 'mira', password },
    { role: 'seller, Pro plan', username: 'juno', password },
    { role: 'administrator', username: demoAdmin.username, password },
  ]
  await writeFile(path.join(env().dataDir, 'demo-logins.json'), JSON.stringify(logins, null, 2), {
    mode: 0o600,
  })
}
