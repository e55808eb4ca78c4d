import 'server-only'
import type { MerchantReturnPolicy, OfferShippingDetails, Product, WithContext } from 'schema-dts'
import type { DropState } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { env } from '@/lib/infra/env'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'

const AVAILABILITY = {
  // Nobody can order it before its start, so it is no pre-order.
  scheduled: 'https://schema.org/OutOfStock',
  live: 'https://schema.org/InStock',
  soldOut: 'https://schema.org/SoldOut',
  paused: 'https://schema.org/OutOfStock',
  ended: 'https://schema.org/Discontinued',
} as const satisfies Record<DropState, string>

/**
 * A drop as search engines read it (schema.org Product with one Offer), safe inside a script element: a `<` in a title
 * or description cannot end the element.
 */
export function dropJsonLd(drop: DropView): string {
  const { appUrl } = env()
  const url = `${appUrl}/drop/${drop.identifier}`
  const { productType } = drop
  const seller = drop.user.username
  const product: WithContext<Product> = {
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
      availability: drop.returnsAt ? AVAILABILITY.paused : AVAILABILITY[drop.state],
      ...(drop.returnsAt ? { availabilityStarts: drop.returnsAt } : {}),
      ...(drop.state === 'scheduled' ? { availabilityStarts: drop.startedAt } : {}),
      // A download is a new copy for each buyer. Sellers are not asked whether what they send is new, so nothing is said.
      ...(productType === 'digital' ? { itemCondition: 'https://schema.org/NewCondition' } : {}),
      ...(productType === 'physical' ? { shippingDetails: shipping } : {}),
      hasMerchantReturnPolicy: returnPolicy(drop, appUrl),
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

/** Shipping is included in the price (docs/product.md#what-the-buyer-is-asked). How long it takes is not promised. */
const shipping: OfferShippingDetails = {
  '@type': 'OfferShippingDetails',
  shippingRate: { '@type': 'MonetaryAmount', value: 0, currency: 'USD' },
  shippingDestination: { '@type': 'DefinedRegion', addressCountry: [...SHIPPING_COUNTRIES] },
}

/** Each request is decided by the seller, and the terms say how (docs/product.md#refund-requests). */
function returnPolicy({ productType }: DropView, appUrl: string): MerchantReturnPolicy {
  return {
    '@type': 'MerchantReturnPolicy',
    ...(productType === 'physical' ? { applicableCountry: [...SHIPPING_COUNTRIES] } : {}),
    returnPolicyCategory: 'https://schema.org/MerchantReturnUnspecified',
    merchantReturnLink: `${appUrl}/terms-of-service#refunds`,
  }
}
