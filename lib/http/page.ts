import 'server-only'
import { redirect } from 'next/navigation'
import { cache } from 'react'
import { getUser } from '@/lib/accounts/queries'
import { toUserView, type UserView } from '@/lib/accounts/view'
import { systemClock } from '@/lib/infra/clock'
import { type Context, createContext } from '@/lib/infra/context'
import { db } from '@/lib/infra/db'
import type { UserActor } from '@/lib/kernel/actor'
import { readActor } from './session'

/** The actor who requests this page, read once per request. */
export const currentActor = cache(() => readActor())

/** The context for the queries of a page. */
export async function pageContext(): Promise<Context> {
  return createContext({ actor: await currentActor() })
}

/** The signed-in seller with their own view, or null for a visitor. */
export const currentSeller = cache(async (): Promise<{ actor: UserActor; user: UserView } | null> => {
  const actor = await currentActor()
  return actor.kind === 'user'
    ? { actor, user: toUserView(await getUser(db(), actor.userId), systemClock.now()) }
    : null
})

/** Returns the signed-in seller. Redirects a visitor to the login, which leads back to `path`. */
export async function requireSeller(path: string): Promise<{ actor: UserActor; user: UserView }> {
  const seller = await currentSeller()
  if (!seller) redirect(`/login?redirect=${encodeURIComponent(path)}`)
  return seller
}
