import { db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { demoAdmin, demoPassword } from '@/prisma/seed/demo-data'
import type { CopyServer } from './built-copy'
import { makeSeller } from './factories'

type Start = (options: { words: string[]; env?: Record<string, string> }) => Promise<CopyServer>

/**
 * Checks that `next start` leaves a demo with the published password open when it listens on loopback, and closes it
 * when it listens on every address, whatever HOST says, because Next ignores HOST.
 * @returns the server that listens on every address.
 */
export async function expectDemoClosed(words: string[], start: Start): Promise<CopyServer> {
  const { id } = await makeSeller({ email: demoAdmin.email, passwordHash: await hashPassword(demoPassword) })
  const isSuspended = async () => (await db().user.findUniqueOrThrow({ where: { id } })).isSuspended
  await (await start({ words: [...words, '-H', 'localhost'] })).stop()
  expect(await isSuspended()).toBe(false)
  const server = await start({ words, env: { HOST: '127.0.0.1' } })
  expect(await isSuspended()).toBe(true)
  return server
}
