import 'server-only'
import type { NextRequest } from 'next/server'
import { lacksTwoFactor } from '@/lib/accounts/guards'
import { findProfileUser } from '@/lib/accounts/queries'
import { findAdminUser } from '@/lib/admin/queries'
import { idParams } from '@/lib/admin/schema'
import { dropBehindLink } from '@/lib/drops/queries'
import { type Database, database, db } from '@/lib/infra/db'
import { log } from '@/lib/infra/log'
import { paymentsMode } from '@/lib/infra/stripe'
import { orderIdSchema, orderTokenSchema } from '@/lib/orders/schema'
import { reminderSteps } from '@/lib/waitlist/rules'
import { findClaimPage } from '@/lib/waitlist/queries'
import { waitlistTokenSchema } from '@/lib/waitlist/schema'
import { safeDecode } from './safe-decode'
import { readActor } from './session'

/** The request header that only the middleware sets; its value says which of these pages is shown instead. */
export const REPLACED_MARK = 'x-lastcall-replaced'

export type Replaced = 'denied' | 'removed-drop' | 'missing-drop' | 'missing-profile' | 'missing'

/**
 * Decides whether an address shows another page than its own, because a page of Next cannot set its status, and shows
 * nothing without JavaScript when it calls notFound() (ADR 0020): the administrators' pages to everybody else (403), a
 * removed drop (410), and what does not exist (404). It grants nothing: the pages decide again from the database.
 */
export async function replacedPage(request: NextRequest): Promise<Replaced | null> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return null
  const { pathname } = request.nextUrl
  try {
    if (isAdminPath(pathname) && !(await isAdministrator(request))) return 'denied'
    for (const [pattern, decide] of PAGES) {
      const [, name] = pattern.exec(pathname) ?? []
      if (name !== undefined) return await decide(database(), safeDecode(name), request)
    }
    return null
  } catch (error) {
    // While the database is unavailable, the page itself shows the error.
    log().warn({ cause: error instanceof Error ? error.message : 'unknown' }, 'the page decides for itself')
    return null
  }
}

/** Whether the address belongs to the administrators: a page of the panel, or one of its calls. */
export function isAdminPath(pathname: string): boolean {
  return /^(?:\/api)?\/admin(?:\/|$)/.test(pathname)
}

/**
 * Whether the session of a request is an administrator's. The cookie holds no role (ADR 0003): the database says on each
 * request who asks, so a new administrator gets in at once and a former one is out at once.
 */
export async function isAdministrator(request: NextRequest): Promise<boolean> {
  const actor = await readActor(request.cookies)
  return actor.kind === 'user' && actor.isAdmin
}

type Decide = (database: Database, name: string, request: NextRequest) => Promise<Replaced | null>

const missingUnless = (exists: unknown): Replaced | null => (exists ? null : 'missing')

const PAGES: [pattern: RegExp, decide: Decide][] = [
  [/^\/drop\/([^/]+)$/, (from, name) => decideDrop(from, name)],
  [
    /^\/drop\/([^/]+)\/report$/,
    async (from, name) => ((await dropBehindLink(from, name)) === 'shown' ? null : 'missing-drop'),
  ],
  [/^\/profile\/([^/]+)$/, async (from, name) => ((await findProfileUser(from, name)) ? null : 'missing-profile')],
  [
    /^\/claim\/([^/]+)$/,
    async (from, token) => missingUnless(isA(waitlistTokenSchema, token) && (await findClaimPage(from, token))),
  ],
  [
    /^\/o\/([^/]+)$/,
    async (_from, token) =>
      missingUnless(isA(orderTokenSchema, token) && (await db().order.count({ where: { token } }))),
  ],
  [
    /^\/o\/([^/]+)\/receipt$/,
    async (_from, token) =>
      missingUnless(
        isA(orderTokenSchema, token) && (await db().order.count({ where: { token, paidAt: { not: null } } })),
      ),
  ],
  [/^\/remind\/([^/]+)$/, async (_from, step) => missingUnless(reminderSteps.some((known) => known === step))],
  [/^\/orders\/(?!import$|slips$|export\.csv$)([^/]+)(?:\/ship)?$/, (_from, id, request) => decideOrder(id, request)],
  [
    /^\/admin\/users\/([^/]+)$/,
    async (_from, typed, request) => {
      // An administrator who still needs a second factor is shown how to set it up, whoever the page is about.
      if (lacksTwoFactor(await readActor(request.cookies), paymentsMode())) return null
      const id = idParams.safeParse({ id: typed })
      return missingUnless(id.success && (await findAdminUser(db(), id.data.id)))
    },
  ],
  [/^\/sandbox\/(mail)$/, async () => missingUnless(paymentsMode() === 'sandbox')],
  // These are shown only in place of another page.
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

/** A visitor is sent to the login by the page, also for an order that does not exist. */
async function decideOrder(id: string, request: NextRequest): Promise<Replaced | null> {
  if (!isA(orderIdSchema, id)) return 'missing'
  const actor = await readActor(request.cookies)
  if (actor.kind !== 'user') return null
  return missingUnless(await db().order.count({ where: { id, sellerId: actor.userId, paidAt: { not: null } } }))
}
