import type { ReactNode } from 'react'
import { HeldCheckout } from '@/components/layout/held-checkout'
import { NeedsScript } from '@/components/layout/needs-script'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto min-h-[90dvh] w-full max-w-md px-5 py-4 md:py-12">
      <NeedsScript>
        Turn on JavaScript to use a passkey. Signing in with a password, creating an account, choosing a plan,
        confirming your email address, resetting a password and buying work without it.
      </NeedsScript>
      {/* A buyer may sign in while units are reserved. */}
      <div className="flex justify-end empty:hidden">
        <HeldCheckout>{null}</HeldCheckout>
      </div>
      {/* Without JavaScript, the buttons that do not send a form would do nothing. */}
      <noscript>
        <style>{'main button[type=button], main [role=tablist] { display: none }'}</style>
      </noscript>
      {children}
    </div>
  )
}
