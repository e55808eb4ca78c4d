import { PublicHeader } from '@/components/layout/public-header'
import { SiteFooter } from '@/components/layout/site-footer'
import type { DropView } from '@/lib/drops/view'
import { Benefits } from './benefits'
import { Closing } from './closing'
import { ExampleQuote } from './example-quote'
import { Hero } from './hero'
import { LiveNow } from './live-now'
import { PerfectFor } from './perfect-for'
import { Steps } from './steps'

/**
 * Shows the landing page, which begins with one sentence about the product, a real live drop and one button
 * (docs/product.md#landing-page). The caller passes the drops already sorted (docs/product.md#live-now).
 */
export function Landing({ drops }: { drops: DropView[] }) {
  const [first, ...rest] = drops
  return (
    <>
      <PublicHeader action={{ label: 'Sign in', href: '/login' }} />
      <main className="mx-auto grid max-w-6xl grid-cols-[minmax(0,1fr)] gap-24 px-5 pt-4 pb-24 md:gap-32 md:px-8 md:pt-10">
        <Hero drop={first ?? null} isOnlyDrop={rest.length === 0} />
        {rest.length > 0 ? <LiveNow drops={rest} /> : null}
        <div className="below-fold grid grid-cols-[minmax(0,1fr)] gap-24 md:gap-32">
          <Steps />
          <Benefits />
          <PerfectFor />
          <ExampleQuote />
          <Closing />
        </div>
      </main>
      <SiteFooter />
    </>
  )
}
