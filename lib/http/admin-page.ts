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
 * Decides whether the current user may see a page of the admin panel. The account is read from the database on every
 * request (docs/product.md#admin-panel, docs/product.md#two-factor-sign-in).
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
  // The audit log records which sellers an administrator looks at, together with the administrator's network address
  // (lib/admin/view-seller.ts).
  return { access: 'granted', ctx: { ...(await pageContext()), ip: clientIp(await headers()) }, actor }
}
