import { Button } from '@/components/ui/button'

export function Closing() {
  return (
    <section
      aria-labelledby="closing-heading"
      className="grid justify-items-start gap-6 rounded-card bg-ink px-6 py-12 text-paper dark:bg-surface dark:text-ink md:justify-items-center md:px-12 md:py-20 md:text-center"
    >
      <h2 id="closing-heading" className="text-4xl leading-[1.02] font-extrabold md:text-6xl">
        The clock starts when you say so
      </h2>
      <p className="max-w-prose text-lg opacity-80">
        One photo and four fields. No card, no contract, and nothing to pay until you sell.
      </p>
      <Button
        asChild
        size="lg"
        variant="inverse"
        className="w-full sm:w-auto sm:px-8 dark:bg-ink dark:text-paper dark:hover:bg-ink/85"
      >
        <a href="/login?mode=signup">Build Your First Drop Now</a>
      </Button>
    </section>
  )
}
