import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/**
 * Stripe's script, from Stripe; in the sandbox (no key) ours takes its place first, and nothing is asked of Stripe.
 * @returns null when the script could not be loaded.
 */
export async function loadPayments(publishableKey: string | null): Promise<Stripe | null> {
  if (publishableKey === null) {
    const { installSandboxStripe } = await import('./install-sandbox-stripe')
    installSandboxStripe()
  }
  return loadStripe(publishableKey ?? 'pk_test_sandbox')
}
