import { db } from '@/lib/infra/db'

/**
 * Locks the row of a drop in another transaction, as a slow edit would, and returns once the row is locked.
 * @returns a function that ends the transaction, and waits until it has ended
 */
export async function holdRowLock(dropId: number): Promise<() => Promise<void>> {
  let release = () => {}
  let locked = () => {}
  const isReleased = new Promise<void>((resolve) => (release = resolve))
  const isLocked = new Promise<void>((resolve) => (locked = resolve))
  const blocker = db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 AS "one" FROM "Drop" WHERE "id" = ${dropId} FOR UPDATE`
    locked()
    await isReleased
  })
  await Promise.race([isLocked, blocker])
  return () => {
    release()
    return blocker
  }
}
