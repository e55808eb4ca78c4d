import 'server-only'
import { headers } from 'next/headers'
import { assertTwoFactorForAdmins } from '@/lib/accounts/guards'
import type { Context } from '@/lib/infra/context'
import { env } from '@/lib/infra/env'
import type { UserActor } from '@/lib/kernel/actor'
import { AppError } from '@/lib/kernel/app-error'
import { clientIp } from './client-ip'
import { currentActor, pageContext } from './page'

type AdminPage =
  | { access: 'granted'; ctx: Context; actor: UserActor }
  | { access: 'denied'; isVisitor: boolean }
  | { access: 'needs-two-factor'; text: string }

/** Who may see a page of the panel, decided by the database on every request (SPEC §2, DECISIONS 39). */
export async function adminPage(): Promise<AdminPage> {
  const actor = await currentActor()
  if (actor.kind !== 'user' || !actor.isAdmin) return { access: 'denied', isVisitor: actor.kind === 'visitor' }
  try {
    assertTwoFactorForAdmins({ actor, payments: env().payments })
  } catch (error) {
    if (error instanceof AppError) return { access: 'needs-two-factor', text: error.message }
    throw error
  }
  // What is looked at is written down, with where from (lib/admin/view-seller).
  return { access: 'granted', ctx: { ...(await pageContext()), ip: clientIp(await headers()) }, actor }
}
