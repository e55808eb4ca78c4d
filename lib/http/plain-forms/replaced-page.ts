import 'server-only'
import type { NextRequest } from 'next/server'
import { lacksTwoFactor } from '@/lib/accounts/guards'
import { findProfileUser } from '@/lib/accounts/queries'
import { findAdminUser } from '@/lib/admin/queries'
import { idParams } from '@/lib/admin/schema'
import { dropBehindLink } from '@/lib/drops/queries'
import { followSteps } from '@/lib/followers/rules'
import { type Database, database, db } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { paymentsMode } from '@/lib/infra/stripe'
import { orderIdSchema, orderTokenSchema } from '@/lib/orders/field-schema'
import { reminderSteps } from '@/lib/waitlist/rules'
import { findClaimPage } from '@/lib/waitlist/queries'
import { waitlistTokenSchema } from '@/lib/waitlist/schema'
import { isActionRequest } from './refusal-of-post'
import { safeDecode } from '../safe-decode'
import { readActor } from '../session'

/**
 * A request header that only the middleware sets. Its value names the page that is shown in place of the requested one.
 */
export const REPLACED_MARK = 'x-lastcall-replaced'

export type Replaced = 'denied' | 'removed-drop' | 'missing-drop' | 'missing-profile' | 'missing-order' | 'missing'

/**
 * Decides whether a request gets another page than the one it asks for. This happens when someone who is not an
 * administrator requests the admin panel (403), for a removed drop (410), and for a path in PAGES whose object does not
 * exist (404). A page of Next cannot do this itself, because it cannot set its status, and without JavaScript
 * notFound() shows nothing (ADR 0020). A result of null grants no access, because the page checks access again in the
 * database.
 */
export async function replacedPage(request: NextRequest): Promise<Replaced | null> {
  const { pathname } = request.nextUrl
  try {
    // A server action checks the permission itself, so that its response can say why it is refused.
    if (isAdminPath(pathname) && !isActionRequest(request) && (await refusalOfAdminCall(request))) return 'denied'
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    for (const [pattern, decide] of PAGES) {
      const [, name] = pattern.exec(pathname) ?? []
      if (name !== undefined) return await decide(database(), safeDecode(name), request)
    }
    return null
  } catch (error) {
    // While the database is unavailable, the page itself shows the error.
    log().warn({ cause: error instanceof Error ? error.message : 'unknown' }, 'the middleware could not check the page')
    return null
  }
}

/** Whether the path belongs to the administrators: a page of the admin panel, or one of its calls. */
export function isAdminPath(pathname: string): boolean {
  return /^(?:\/api)?\/admin(?:\/|$)/.test(pathname)
}

/**
 * Returns why a request to the admin panel is refused; null for an administrator. The cookie holds no role (ADR 0003).
 * The role is read from the database on each request, so a changed role takes effect right away.
 */
export async function refusalOfAdminCall(request: NextRequest): Promise<'NOT_SIGNED_IN' | 'FORBIDDEN' | null> {
  const actor = await readActor(request.cookies)
  if (actor.kind !== 'user') return 'NOT_SIGNED_IN'
  return actor.isAdmin ? null : 'FORBIDDEN'
}

type Decide = (database: Database, name: string, request: NextRequest) => Promise<Replaced | null>

const missingUnless = (exists: unknown): Replaced | null => (exists ? null : 'missing')

const PAGES: [pattern: RegExp, decide: Decide][] = [
  [/^\/drop\/([^/]+)(?:\/(?:runs|edition))?$/, (from, name) => decideDrop(from, name)],
  [
    /^\/drop\/([^/]+)\/report$/,
    async (from, name) => ((await dropBehindLink(from, name)) === 'shown' ? null : 'missing-drop'),
  ],
  [/^\/profile\/([^/]+)$/, async (from, name) => ((await findProfileUser(from, name)) ? null : 'missing-profile')],
  [
    /^\/claim\/([^/]+)$/,
    async (from, token) =>
      missingUnless(isA(waitlistTokenSchema, token) && (await findClaimPage({ ...from, sellerLimit: null }, token))),
  ],
  [
    /^\/o\/([^/]+)$/,
    async (_from, token) =>
      isA(orderTokenSchema, token) && (await db().order.count({ where: { token } })) ? null : 'missing-order',
  ],
  [
    /^\/o\/([^/]+)\/receipt$/,
    async (_from, token) =>
      isA(orderTokenSchema, token) && (await db().order.count({ where: { token, paidAt: { not: null } } }))
        ? null
        : 'missing-order',
  ],
  [/^\/follow\/([^/]+)$/, async (_from, step) => missingUnless(followSteps.some((known) => known === step))],
  [/^\/remind\/([^/]+)$/, async (_from, step) => missingUnless(reminderSteps.some((known) => known === step))],
  [/^\/orders\/(?!import$|slips$|export\.csv$)([^/]+)(?:\/ship)?$/, (_from, id, request) => decideOrder(id, request)],
  [
    /^\/admin\/users\/([^/]+)$/,
    async (_from, typed, request) => {
      // The page asks an administrator who lacks a second factor to set one up, even if the user does not exist.
      if (lacksTwoFactor(await readActor(request.cookies), paymentsMode())) return null
      const id = idParams.safeParse({ id: typed })
      return missingUnless(id.success && (await findAdminUser(db(), id.data.id)))
    },
  ],
  [/^\/sandbox\/(mail)$/, async () => missingUnless(paymentsMode() === 'sandbox')],
  // The middleware shows these pages only in place of another page.
  [/^\/(paused|replaced|dashboard)$/, async () => 'missing'],
]

function isA(schema: { safeParse: (value: unknown) => { success: boolean } }, value: string): boolean {
  return schema.safeParse(value).success
}

async function decideDrop(from: Database, name: string): Promise<Replaced | null> {
  const found = await dropBehindLink(from, name)
  if (found === 'removed') return 'removed-drop'
  return found === 'unknown' ? 'missing-drop' : null
}

/**
 * For a malformed id, the page is missing for everyone. For any other id the result for a visitor is null, because the
 * page redirects visitors to the login whether or not the order exists.
 */
async function decideOrder(id: string, request: NextRequest): Promise<Replaced | null> {
  if (!isA(orderIdSchema, id)) return 'missing'
  const actor = await readActor(request.cookies)
  if (actor.kind !== 'user') return null
  return missingUnless(await db().order.count({ where: { id, sellerId: actor.userId, paidAt: { not: null } } }))
}
