import { Badge } from '@/components/ui/badge'

/** Shows an invented quote that is labeled as an example (docs/product.md#landing-page). */
export function ExampleQuote() {
  return (
    <figure className="mx-auto grid max-w-3xl justify-items-center gap-6 text-center">
      <Badge variant="secondary">Example, not a customer</Badge>
      <blockquote className="font-display text-2xl leading-snug font-bold tracking-tight text-balance md:text-4xl">
        “I posted one link before lunch. Forty mugs, forty-eight hours. The last one went while I was packing the
        first.”
      </blockquote>
      <figcaption className="text-muted">How a ceramicist with 3,000 followers might put it</figcaption>
    </figure>
  )
}
