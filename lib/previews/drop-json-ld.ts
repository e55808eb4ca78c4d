import 'server-only'
import type { DropState } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { env } from '@/lib/infra/env'

const AVAILABILITY: Record<DropState, string> = {
  live: 'InStock',
  soldOut: 'SoldOut',
  paused: 'OutOfStock',
  ended: 'Discontinued',
}

/**
 * A drop as search engines read it (schema.org Product with one Offer), safe inside a script element: a `<` in a title
 * or description cannot end the element.
 */
export function dropJsonLd(drop: DropView): string {
  const { appUrl } = env()
  const url = `${appUrl}/drop/${drop.identifier}`
  const seller = drop.user.username
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: drop.title,
    description: drop.description,
    image: drop.imageUrls.map((path) => appUrl + path),
    sku: drop.uniqueId,
    url,
    offers: {
      '@type': 'Offer',
      url,
      price: drop.price,
      priceCurrency: 'USD',
      availability: `https://schema.org/${drop.returnsAt ? 'OutOfStock' : AVAILABILITY[drop.state]}`,
      ...(drop.returnsAt ? { availabilityStarts: drop.returnsAt } : {}),
      validFrom: drop.startedAt,
      priceValidUntil: drop.endTime,
      ...(seller ? { seller: { '@type': 'Person', name: `@${seller}`, url: `${appUrl}/profile/${seller}` } } : {}),
    },
  }
  return JSON.stringify(product)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
