import type { ReactNode } from 'react'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { FocusedHeading } from './focused-heading'

type CheckoutProblemProps = {
  title: string
  text: string
  dropPath: string
  /**
   * True when the message has replaced the form. The heading then takes the focus, so that a screen reader reads it
   * out.
   */
  isReplacement?: boolean
  children?: ReactNode
}

/**
 * Says why the embedded checkout cannot go on, under a title such as "Payment Not Available" or "Checkout Error", and
 * what the buyer can do next (docs/product.md#when-payments-are-off).
 */
export function CheckoutProblem({ title, text, dropPath, isReplacement = false, children }: CheckoutProblemProps) {
  const Heading = isReplacement ? FocusedHeading : 'h1'
  return (
    <>
      {isReplacement ? null : <PublicHeader />}
      <main className="mx-auto grid max-w-md justify-items-start gap-4 px-5 py-16">
        <Heading className="text-4xl font-extrabold" aria-describedby="problem-text">
          {title}
        </Heading>
        <p id="problem-text" className="text-lg text-muted">
          {text}
        </p>
        <div className="mt-2 flex flex-wrap gap-3">
          {children}
          <Button asChild variant={children ? 'outline' : 'default'}>
            <a href={dropPath}>Back to the drop</a>
          </Button>
        </div>
        {isReplacement ? null : (
          <div className="mt-4 w-full">
            <BuyerLinks />
          </div>
        )}
      </main>
    </>
  )
}
