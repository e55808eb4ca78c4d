import { Download, type LucideIcon, Package, Sparkles, UserRound } from 'lucide-react'

const kinds: readonly { title: string; text: string; Icon: LucideIcon }[] = [
  { title: 'Physical Products', text: "The batch from this week's kiln, oven or press.", Icon: Package },
  { title: 'Digital Goods', text: 'Presets, patterns, a zine: delivered the moment someone pays.', Icon: Download },
  { title: 'Services', text: 'Ten portrait sessions, four tattoo slots, one afternoon.', Icon: UserRound },
  { title: 'Limited Drops', text: 'Numbered, one time only, gone when time runs out.', Icon: Sparkles },
]

export function PerfectFor() {
  return (
    <section aria-labelledby="perfect-heading" className="grid gap-8">
      <h2 id="perfect-heading" className="text-3xl font-bold md:text-5xl">
        Perfect For
      </h2>
      <ul className="grid grid-cols-2 gap-3 md:gap-5 lg:grid-cols-4">
        {kinds.map(({ title, text, Icon }) => (
          <li key={title} className="grid content-start gap-8 rounded-card bg-sunken p-4 md:gap-14 md:p-6">
            <Icon aria-hidden className="size-7 md:size-9" strokeWidth={1.5} />
            <div className="grid content-start gap-1">
              <h3 className="text-lg leading-tight font-bold md:text-xl">{title}</h3>
              <p className="text-sm leading-relaxed text-muted md:text-base">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
