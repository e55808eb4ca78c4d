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

/**
 * Decides from the database, on every request, who may see a page of the admin panel (docs/product.md#admin-panel,
 * docs/product.md#two-factor-sign-in).
 */
export async function adminPage(): Promise<AdminPage> {
  const actor = await currentActor()
  if (actor.kind !== 'user' || !actor.isAdmin) return { access: 'denied', isVisitor: actor.kind === 'visitor' }
  try {
    assertTwoFactorForAdmins({ actor, payments: env().payments })
  } catch (error) {
    if (error instanceof AppError) return { access: 'needs-two-factor', text: error.message }
    throw error
  }
  // The audit log records what an administrator looks at, with the network address (lib/admin/view-seller).
  return { access: 'granted', ctx: { ...(await pageContext()), ip: clientIp(await headers()) }, actor }
}
