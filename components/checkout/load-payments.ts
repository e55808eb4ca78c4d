import type { Stripe } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'

/**
 * Loads Stripe's script from Stripe. In the sandbox, which has no key, our own script is installed and nothing is
 * requested from Stripe.
 * @param hasFraudSignals whether the script may collect data about the device and its use for fraud detection
 *   (docs.stripe.com/disputes/prevention/advanced-fraud-detection). Only pages that buyers open in order to pay
 *   allow it.
 * @returns null outside a browser.
 * @throws when the script could not be loaded.
 */
export async function loadPayments(publishableKey: string | null, hasFraudSignals: boolean): Promise<Stripe | null> {
  if (!hasFraudSignals) loadStripe.setLoadParameters({ advancedFraudSignals: false })
  if (publishableKey === null) {
    const { installSandboxStripe } = await import('./install-sandbox-stripe')
    installSandboxStripe()
  }
  return loadStripe(publishableKey ?? 'pk_test_sandbox')
}
