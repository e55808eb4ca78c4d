import type { ReactNode } from 'react'
import { HeldCheckout } from '@/components/layout/held-checkout'
import { NeedsScript } from '@/components/layout/needs-script'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="mx-auto min-h-[90dvh] w-full max-w-md px-5 py-4 md:py-12">
      <NeedsScript>
        Turn on JavaScript to sign in, to create an account or to reset a password. Buying works without it.
      </NeedsScript>
      {/* A buyer may sign in while units are reserved. */}
      <div className="flex justify-end empty:hidden">
        <HeldCheckout>{null}</HeldCheckout>
      </div>
      {children}
    </div>
  )
}
