import 'server-only'
import { z } from 'zod'
import type { Resource, Settings } from '../call'
import { expandable, readParams } from '../params'

/** Returns the fields of GET /v1/account that describe how the platform's own account is set up. */
function platformAccount({ platform, appUrl }: Settings) {
  return {
    id: 'acct_1SandboxPlatform',
    object: 'account',
    business_profile: { name: 'Lastcall', url: appUrl, support_email: null },
    business_type: 'company',
    capabilities: { card_payments: 'active', transfers: 'active' },
    charges_enabled: true,
    country: platform.country,
    default_currency: platform.currency,
    details_submitted: true,
    email: 'platform@lastcall.example',
    payouts_enabled: true,
    settings: {
      payouts: { debit_negative_balances: true, schedule: { delay_days: 2, interval: platform.payoutInterval } },
    },
    type: 'standard',
  }
}

export const platformAccounts: Resource = {
  routes: [
    {
      method: 'GET',
      path: '/v1/account',
      run: async ({ settings, params }) => {
        readParams(z.strictObject({ expand: expandable() }), params)
        return { body: platformAccount(settings) }
      },
    },
  ],
}
