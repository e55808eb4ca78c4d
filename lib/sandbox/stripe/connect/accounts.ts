import 'server-only'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { Call, Reply, Resource } from '../call'
import { accountInvalid, invalidRequest } from '../stripe-fault'
import { emitOfAccount } from '../events/events'
import { doLater } from '../events/do-later'
import { futureRequirementsAfter, type OnboardingStep, requirementsAfter } from './requirements-after'
import { stripeId, unixSeconds } from '../ids'
import { listObjects, pageParams } from '../list'
import { bool, country, email, expandable, mergeMetadata, metadata, readParams, text, webUrl } from '../params'
import type { Tx } from '../store'

const LINK_LIFETIME_SECONDS = 5 * 60

/** The countries between which transfers may cross borders (docs.stripe.com/connect/account-capabilities). */
const CROSS_BORDER =
  'US CA GB CH AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IS IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE'.split(' ')

/** Whether a platform in one country can send money to an account in the other. */
export function isInReach(platformCountry: string, countryCode: string | undefined): boolean {
  if (countryCode === platformCountry) return true
  return [platformCountry, countryCode ?? ''].every((code) => CROSS_BORDER.includes(code))
}

/** How long an account has to submit what Stripe requires before anything is restricted. */
const ASKED_SECONDS = 14 * 24 * 60 * 60

/** How long before their first day requirements are announced. */
const ANNOUNCED_SECONDS = 30 * 24 * 60 * 60

const capability = z.strictObject({ requested: bool() }).optional()

const createParams = z.strictObject({
  country: country().optional(),
  email: email().optional(),
  business_type: z.enum(['individual', 'company']).optional(),
  capabilities: z.strictObject({ transfers: capability, card_payments: capability }).optional(),
  controller: z
    .strictObject({
      fees: z.strictObject({ payer: z.enum(['account', 'application']) }).optional(),
      losses: z.strictObject({ payments: z.enum(['application', 'stripe']) }).optional(),
      requirement_collection: z.enum(['application', 'stripe']).optional(),
      stripe_dashboard: z.strictObject({ type: z.enum(['express', 'full', 'none']) }).optional(),
    })
    .optional(),
  business_profile: z
    .strictObject({
      url: webUrl().optional(),
      name: text(100).optional(),
      mcc: text(4).optional(),
      product_description: text(1_000).optional(),
    })
    .optional(),
  // A platform sends these parameters when it collects the requirements itself. If all three are present, the account
  // is ready right away. The stand-in does not verify the data in them.
  individual: z.record(z.string().max(50), z.unknown()).optional(),
  external_account: text(255).optional(),
  tos_acceptance: z
    .strictObject({
      date: text(20).optional(),
      ip: text(50).optional(),
      service_agreement: z.enum(['full', 'recipient']).optional(),
    })
    .optional(),
  metadata: metadata(),
  expand: expandable(),
})

const linkParams = z.strictObject({
  account: text(255),
  type: z.enum(['account_onboarding', 'account_update']),
  refresh_url: webUrl(),
  return_url: webUrl(),
  collection_options: z.strictObject({ fields: z.enum(['currently_due', 'eventually_due']) }).optional(),
  expand: expandable(),
})

async function create({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(createParams, params)
  if (!settings.platform.hasConnectProfile) {
    throw invalidRequest(
      'Please review the responsibilities of managing losses for connected accounts at https://dashboard.stripe.com/settings/connect/platform-profile.',
    )
  }
  const isRecipient = input.tos_acceptance?.service_agreement === 'recipient'
  if (isRecipient && input.capabilities?.card_payments?.requested) {
    throw invalidRequest(
      'Accounts under the recipient service agreement cannot request the `card_payments` capability.',
    )
  }
  if (!isRecipient && input.capabilities?.transfers?.requested && !input.capabilities.card_payments?.requested) {
    throw invalidRequest(
      'Your platform needs approval for accounts to have requested the `transfers` capability without the `card_payments` capability.',
    )
  }
  if (input.tos_acceptance && input.controller?.requirement_collection !== 'application') {
    throw invalidRequest(
      'You cannot accept the Terms of Service on behalf of accounts for which Stripe collects requirements.',
      {
        param: 'tos_acceptance',
      },
    )
  }
  const account: Stripe.Account = {
    id: stripeId('acct'),
    object: 'account',
    business_type: input.business_type ?? 'individual',
    capabilities: { transfers: 'inactive' },
    charges_enabled: false,
    controller: {
      fees: { payer: input.controller?.fees?.payer ?? 'application' },
      is_controller: true,
      losses: { payments: input.controller?.losses?.payments ?? 'application' },
      requirement_collection: input.controller?.requirement_collection ?? 'stripe',
      stripe_dashboard: { type: input.controller?.stripe_dashboard?.type ?? 'express' },
      type: 'application',
    },
    // Without a country in the request, the account gets that of the platform. It cannot be changed later.
    country: input.country ?? settings.platform.country,
    created: unixSeconds(tx.now()),
    default_currency: 'usd',
    details_submitted: false,
    email: input.email ?? null,
    future_requirements: futureRequirementsAfter('start', 0),
    metadata: mergeMetadata({}, input.metadata),
    payouts_enabled: false,
    requirements: requirementsAfter('start', 0),
    tos_acceptance: { service_agreement: isRecipient ? 'recipient' : 'full' },
    type: 'express',
  }
  await tx.insert(account)
  await emitOfAccount(tx, 'account.updated', account.id, account)
  // At Stripe, test data are verified within seconds. Here the account is ready right away.
  if (input.individual && input.external_account && input.tos_acceptance)
    await takeOnboardingStep(tx, account, 'finish')
  return { body: account }
}

async function createLink({ tx, settings, params }: Call): Promise<Reply> {
  const input = readParams(linkParams, params)
  const account = await tx.find('account', input.account)
  if (!account) throw accountInvalid(input.account)
  // Express accounts change their data in their own dashboard (docs.stripe.com/api/account_links/create).
  if (input.type === 'account_update') {
    throw invalidRequest('You cannot create `account_update` type Account Links for this account.', { param: 'type' })
  }
  const created = unixSeconds(tx.now())
  const link = {
    id: stripeId('acl'),
    object: '~account_link' as const,
    accountId: account.id,
    returnUrl: input.return_url,
    refreshUrl: input.refresh_url,
    expiresAt: created + LINK_LIFETIME_SECONDS,
    isVisited: false,
    isUsed: false,
  }
  await tx.insert(link)
  const shown: Stripe.AccountLink = {
    object: 'account_link',
    created,
    expires_at: link.expiresAt,
    url: `${settings.appUrl}/sandbox/connect/${link.id}`,
  }
  return { body: shown }
}

/** Applies an onboarding step, such as the press of a button on its page. `account` must be locked or new. */
export async function takeOnboardingStep(tx: Tx, account: Stripe.Account, step: OnboardingStep): Promise<void> {
  if (step === 'leave') return
  if (step === 'disconnect') return disconnect(tx, account)
  const canReceive = ['finish', 'approve', 'announce', 'ask', 'stop-bank'].includes(step)
  const before = account.capabilities?.transfers
  account.details_submitted = true
  account.payouts_enabled = canReceive && step !== 'stop-bank'
  account.charges_enabled = canReceive
  account.capabilities = { transfers: canReceive ? 'active' : step === 'review' ? 'pending' : 'inactive' }
  const deadline = unixSeconds(tx.now()) + ASKED_SECONDS
  account.requirements = requirementsAfter(step, deadline)
  const beginsAt = unixSeconds(tx.now()) + ANNOUNCED_SECONDS
  account.future_requirements = futureRequirementsAfter(step, beginsAt)
  if (step === 'announce') await doLater(tx, account.id, 'requirements-begin', beginsAt)
  if (step === 'ask') await doLater(tx, account.id, 'account-falls-due', deadline)
  await tx.save(account)
  await emitOfAccount(tx, 'account.updated', account.id, account)
  if (account.capabilities.transfers !== before)
    await emitOfAccount(tx, 'capability.updated', account.id, capabilityOf(account))
}

/**
 * Restricts an account whose deadline has passed. If the account has submitted everything in time, it no longer has a
 * deadline, and nothing happens.
 */
export async function accountFallsDue(tx: Tx, id: string): Promise<boolean> {
  const account = await tx.lock('account', id)
  const deadline = account?.requirements?.current_deadline
  if (account && deadline && deadline <= unixSeconds(tx.now())) await takeOnboardingStep(tx, account, 'restrict')
  return true
}

/** Turns the future requirements of an account into its requirements, unless the account has none anymore. */
export async function requirementsBegin(tx: Tx, id: string): Promise<boolean> {
  const account = await tx.lock('account', id)
  const beginsAt = account?.future_requirements?.current_deadline
  if (account && beginsAt && beginsAt <= unixSeconds(tx.now())) await takeOnboardingStep(tx, account, 'ask')
  return true
}

/** Builds the transfers capability of an account as an object of its own. */
function capabilityOf(account: Stripe.Account) {
  return {
    id: 'transfers',
    object: 'capability',
    account: account.id,
    requested: true,
    requested_at: account.created ?? null,
    status: account.capabilities?.transfers ?? 'inactive',
  }
}

/**
 * Removes an account that is deleted or whose owner withdraws the authorization. The event's object is the platform's
 * application, and the event's `account` field is the id of the account. Afterwards the stand-in no longer knows the
 * account.
 */
async function disconnect(tx: Tx, account: Stripe.Account): Promise<void> {
  await tx.query(`DELETE FROM "SandboxObject" WHERE "id" = $1 AND "kind" = 'account'`, [account.id])
  const application = { id: 'ca_sandbox', object: 'application', name: 'Lastcall' }
  await emitOfAccount(tx, 'account.application.deauthorized', account.id, application)
}

export const accounts: Resource = {
  routes: [
    { method: 'POST', path: '/v1/accounts', run: create },
    {
      method: 'GET',
      path: '/v1/accounts/:id',
      run: async ({ tx, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const account = await tx.find('account', id)
        if (!account) throw accountInvalid(id)
        return { body: account }
      },
    },
    {
      method: 'GET',
      path: '/v1/accounts',
      run: async ({ tx, params }) => {
        const page = readParams(z.strictObject(pageParams), params)
        return { body: await listObjects(tx, 'account', '/v1/accounts', page) }
      },
    },
    {
      method: 'DELETE',
      path: '/v1/accounts/:id',
      run: async ({ tx, id }) => {
        const account = await tx.lock('account', id)
        if (!account) throw accountInvalid(id)
        await disconnect(tx, account)
        return { body: { id, object: 'account', deleted: true } }
      },
    },
    { method: 'POST', path: '/v1/account_links', run: createLink },
    {
      method: 'POST',
      path: '/v1/accounts/:id/login_links',
      run: async ({ tx, settings, id, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        const account = await tx.find('account', id)
        if (!account) throw accountInvalid(id)
        if (!account.details_submitted) {
          throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.')
        }
        const link: Stripe.LoginLink = {
          object: 'login_link',
          created: unixSeconds(tx.now()),
          url: `${settings.appUrl}/sandbox/connect/balance/${account.id}`,
        }
        return { body: link }
      },
    },
  ],
}
