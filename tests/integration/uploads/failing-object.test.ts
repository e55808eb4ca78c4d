import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { closeDatabase, db } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { storage } from '@/lib/infra/storage'
import { newId } from '@/lib/kernel/id'
import { HOUR_MS } from '@/lib/kernel/time'
import { sweepOrphans } from '@/lib/uploads/sweep-orphans'
import { visitor } from '@/tests/support/factories'

afterAll(closeDatabase)

it('an unused object that cannot be removed does not keep the others', async () => {
  await db().storedObject.deleteMany({ where: { claimedAt: null } })
  const keys = Array.from({ length: 4 }, () => `files/${newId('f')}.pdf`)
  const createdAt = new Date(Date.now() - HOUR_MS)
  // A folder in place of a file cannot be removed.
  mkdirSync(path.join(env().dataDir, 'uploads', keys[0]!), { recursive: true })
  for (const key of keys.slice(1)) await storage().put(key, Buffer.from('%PDF-1.7'))
  await db().storedObject.createMany({ data: keys.map((key) => ({ key, bytes: 8, createdAt })) })
  await expect(sweepOrphans(visitor())).rejects.toThrow()
  expect(await db().storedObject.findMany({ where: { key: { in: keys } }, select: { key: true } })).toEqual([
    { key: keys[0] },
  ])
})
