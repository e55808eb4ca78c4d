import { Button } from '@/components/ui/button'
import type { DropView } from '@/lib/drops/view'
import { brand } from '@/lib/kernel/brand'
import { HeroDrop, NothingLive } from './hero-drop'

const stats = ['60s setup', '3x sales', 'Free start'] as const

type HeroProps = {
  drop: DropView | null
  /** Whether no list "Live now" follows, so that links to the live drops lead to this one. */
  isOnlyDrop: boolean
}

export function Hero({ drop, isOnlyDrop }: HeroProps) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] items-center gap-x-16 gap-y-10 md:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
      <div className="grid gap-5 md:gap-7">
        <h1 className="text-[2.75rem] leading-[0.98] font-extrabold tracking-[-0.035em] sm:text-6xl lg:text-[5.25rem]">
          Turn followers into buyers before the clock runs out
        </h1>
        <p className="max-w-[34rem] text-lg leading-relaxed text-muted md:text-xl">
          {brand.name} gives your product one link, one price and one deadline. Followers buy in seconds, no account
          needed.
        </p>
        <Button asChild size="lg" className="w-full sm:w-auto sm:justify-self-start sm:px-8">
          <a href="/login?mode=signup">Get Started Free</a>
        </Button>
        <ul className="flex flex-wrap justify-between gap-x-4 gap-y-1 font-display text-base font-bold sm:justify-start sm:gap-x-8 md:text-lg">
          {stats.map((stat) => (
            <li key={stat} className="whitespace-nowrap">
              {stat}
            </li>
          ))}
        </ul>
      </div>
      <div id={isOnlyDrop ? 'live' : undefined} className="min-w-0 scroll-mt-4">
        {drop ? <HeroDrop drop={drop} /> : <NothingLive />}
      </div>
    </section>
  )
}
