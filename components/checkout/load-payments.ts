import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/**
 * Loads Stripe's script from Stripe. In the sandbox, which has no key, our script is installed first and nothing is
 * requested from Stripe.
 * @returns null when the script could not be loaded.
 */
export async function loadPayments(publishableKey: string | null): Promise<Stripe | null> {
  if (publishableKey === null) {
    const { installSandboxStripe } = await import('./install-sandbox-stripe')
    installSandboxStripe()
  }
  return loadStripe(publishableKey ?? 'pk_test_sandbox')
}
