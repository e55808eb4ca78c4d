import 'server-only'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { takeOnboardingStep } from '../connect/accounts'
import type { OnboardingStep } from '../connect/requirements-after'
import { unixSeconds } from '../ids'
import type { Store } from '../store'
import { readSentBody } from './read-sent-body'
import { layout, pageResponse, type Page } from './layout'
import { noticePage } from './notice-page'

const ROOT = '/sandbox/connect'
const NOBODY = { id: null, idempotency_key: null }

const STEPS: readonly { step: OnboardingStep; label: string; hint: string; isFor: 'new' | 'review' | 'ready' }[] = [
  { step: 'finish', label: 'Finish: payouts are ready', hint: 'Everything is accepted right away.', isFor: 'new' },
  { step: 'review', label: 'Finish: goes to review', hint: 'A document has to be reviewed first.', isFor: 'new' },
  { step: 'leave', label: 'Save and leave', hint: 'Comes back with something still missing.', isFor: 'new' },
  { step: 'approve', label: 'Approve the review', hint: 'What the reviewer would do.', isFor: 'review' },
  {
    step: 'announce',
    label: 'Announce a document for next month',
    hint: 'Payouts continue, and a deadline follows then.',
    isFor: 'ready',
  },
  {
    step: 'ask',
    label: 'Ask for a document by a date',
    hint: 'Payouts continue for two weeks and then pause.',
    isFor: 'ready',
  },
  {
    step: 'stop-bank',
    label: 'Stop payouts to the bank',
    hint: 'The bank account was rejected, but transfers still arrive.',
    isFor: 'ready',
  },
  { step: 'restrict', label: 'Ask for a document', hint: "Payouts pause until it's provided.", isFor: 'ready' },
  { step: 'disconnect', label: 'Disconnect the account', hint: 'Stripe no longer knows it.', isFor: 'ready' },
  { step: 'leave', label: 'Go back', hint: 'Nothing changes.', isFor: 'ready' },
]

/** The steps that Stripe takes, and not the seller. On this page each of them has a button. */
const BY_STRIPE: readonly OnboardingStep[] = ['approve', 'announce', 'ask', 'stop-bank', 'restrict', 'disconnect']

function onboardingPage(action: string, email: string | null, phase: 'new' | 'review' | 'ready'): Page {
  const title = phase === 'new' ? 'Connect your payouts' : 'Your payout account'
  const texts = {
    new: 'The real page asks for your name, date of birth and bank account. Here you choose the outcome.',
    review: 'Your details are being reviewed.',
    ready: 'Your account is ready to receive payouts.',
  }
  return layout(
    title,
    html`<div class="card">
      <h1>${title}</h1>
      <p class="muted">${email ?? ''}</p>
      <p>${texts[phase]}</p>
      <form method="post" action="${action}" class="stack">
        ${STEPS.filter(({ isFor }) => isFor === phase).map(
          ({ step, label, hint }, index) =>
            html`<div>
              <button class="${index === 0 ? 'primary' : 'quiet'}" name="step" value="${step}">${label}</button>
              <p class="muted">${hint}</p>
            </div>`,
        )}
      </form>
    </div>`,
  )
}

function gone(refreshUrl: string | null): Promise<Response> {
  const link = refreshUrl ? { href: refreshUrl, label: 'Start again' } : null
  return pageResponse(noticePage({ title: 'This link has expired', text: 'Nothing was saved.', link }), 410)
}

function phaseOf(account: { details_submitted: boolean; payouts_enabled: boolean; requirements?: unknown }) {
  if (account.payouts_enabled) return 'ready' as const
  const { pending_verification: pending } = (account.requirements ?? {}) as { pending_verification?: string[] }
  return account.details_submitted && pending?.length ? ('review' as const) : ('new' as const)
}

/**
 * Adds the onboarding page of a connected account, with buttons instead of the forms that Stripe would show there, and
 * the page that shows the account's balance.
 */
export function addConnectPages(app: Hono, store: Store): void {
  app.get(`${ROOT}/:id`, async ({ req }) => {
    const found = await store.transaction(NOBODY, async (tx) => {
      const link = await tx.find('~account_link', req.param('id'))
      const account = link && (await tx.find('account', link.accountId))
      if (!account) return null
      const isOver = link.isVisited || link.expiresAt <= unixSeconds(tx.now())
      await tx.save({ ...link, isVisited: true })
      return { link, account, isOver }
    })
    if (!found) return gone(null)
    if (found.isOver) return gone(found.link.refreshUrl)
    const page = onboardingPage(`${ROOT}/${found.link.id}`, found.account.email, phaseOf(found.account))
    return pageResponse(page, 200, [new URL(found.link.returnUrl).origin])
  })
  app.post(`${ROOT}/:id`, async ({ req }) => {
    const body = await readSentBody(req.raw)
    const step = STEPS.find((entry) => body.ok && entry.step === body.fields.step)?.step
    const link = await store.transaction(NOBODY, async (tx) => {
      const found = await tx.find('~account_link', req.param('id'))
      const account = found && (await tx.lock('account', found.accountId))
      if (!account || !step || found.expiresAt <= unixSeconds(tx.now())) return null
      // The seller's own steps work once per link. The steps that Stripe would take work until the link expires.
      if (found.isUsed && !BY_STRIPE.includes(step)) return null
      await takeOnboardingStep(tx, account, step)
      await tx.save({ ...found, isVisited: true, isUsed: true })
      return found
    })
    if (!link) return gone(null)
    return new Response(null, { status: 303, headers: { location: link.returnUrl, 'cache-control': 'no-store' } })
  })
  app.get(`${ROOT}/balance/:id`, async ({ req }) => {
    const cents = await store.transaction(NOBODY, async (tx) => {
      const [row] = await tx.query<{ cents: number }>(
        `SELECT coalesce(sum(("json"->>'amount')::int - ("json"->>'amount_reversed')::int), 0)::int AS "cents"
           FROM "SandboxObject" WHERE "kind" = 'transfer' AND "json"->>'destination' = $1`,
        [req.param('id')],
      )
      return row?.cents ?? 0
    })
    const text = `On its way to your bank: $${(cents / 100).toFixed(2)}.`
    return pageResponse(noticePage({ title: 'Your balance', text, link: { href: '/payouts', label: 'Back' } }), 200)
  })
}
