const steps = [
  { title: 'Upload', text: 'Add a photo, a price, a quantity, and 24, 48 or 72 hours.', left: '100%' },
  {
    title: 'Share',
    text: 'Share one link. It opens on any phone with a photo, a price and a countdown.',
    left: '58%',
  },
  {
    title: 'Profit',
    text: 'Buyers pay by card without an account. Every order shows up on your phone right away.',
    left: '14%',
  },
] as const

/** Shows the three steps, each with a bar that is shorter than the bar before it. */
export function Steps() {
  return (
    <section aria-labelledby="steps-heading" className="grid gap-8 md:gap-12">
      <h2 id="steps-heading" className="text-3xl font-bold md:text-5xl">
        From photo to sold in three steps
      </h2>
      <ol className="grid gap-10 md:grid-cols-3 md:gap-8">
        {steps.map(({ title, text, left }, index) => (
          <li key={title} className="grid content-start gap-3">
            <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
              <div className="h-full rounded-full bg-ember" style={{ width: left }} />
            </div>
            <h3 className="text-2xl font-bold md:text-3xl">
              <span className="tabular me-2.5 text-muted">{index + 1}</span>
              {title}
            </h3>
            <p className="max-w-[34ch] text-lg leading-relaxed text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
