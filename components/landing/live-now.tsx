import { PublicDropCard } from '@/components/drops/public-drop-card'
import type { DropView } from '@/lib/drops/view'

/**
 * Shows the live drops after the first, which the hero shows, in a row that is swiped on phones and scrolled on wider
 * screens.
 */
export function LiveNow({ drops }: { drops: DropView[] }) {
  return (
    <section id="live" aria-labelledby="live-heading" className="grid min-w-0 gap-6">
      <div>
        <h2 id="live-heading" className="text-3xl font-bold md:text-5xl">
          Live now
        </h2>
        <p className="mt-2 text-lg text-muted">Every drop has a deadline. When time&apos;s up, it&apos;s gone.</p>
      </div>
      <ul className="-mx-5 flex snap-x snap-mandatory scroll-px-5 gap-4 overflow-x-auto px-5 pb-4 [scrollbar-color:var(--line)_transparent] [scrollbar-width:none] md:-mx-8 md:scroll-px-8 md:gap-6 md:px-8 pointer-fine:[scrollbar-width:thin]">
        {drops.map((drop) => (
          <li key={drop.id} className="w-[68vw] max-w-64 shrink-0 snap-start">
            <PublicDropCard drop={drop} />
          </li>
        ))}
      </ul>
    </section>
  )
}
