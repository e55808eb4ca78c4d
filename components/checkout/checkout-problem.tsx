import type { ReactNode } from 'react'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { NewsHeading } from './news-heading'

type CheckoutProblemProps = {
  title: string
  text: string
  dropPath: string
  /** True when the message has replaced the form, so that it takes the focus and is read out. */
  isNews?: boolean
  children?: ReactNode
}

/**
 * The screens "Payment Not Available" and "Checkout Error": what is wrong and what to do next
 * (docs/product.md#when-payments-are-off).
 */
export function CheckoutProblem({ title, text, dropPath, isNews = false, children }: CheckoutProblemProps) {
  const Heading = isNews ? NewsHeading : 'h1'
  return (
    <>
      {isNews ? null : <PublicHeader />}
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
      </main>
    </>
  )
}
