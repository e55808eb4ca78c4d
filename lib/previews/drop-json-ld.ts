import 'server-only'
import type { MerchantReturnPolicy, OfferShippingDetails, Product, PropertyValue, WithContext } from 'schema-dts'
import { profilePath } from '@/lib/accounts/rules'
import type { DropState } from '@/lib/drops/rules'
import type { DropView } from '@/lib/drops/view'
import { servedCountries } from '@/lib/drops/delivery/zone-rules'
import { env } from '@/lib/infra/env'
import { SHIPPING_COUNTRIES } from '@/lib/kernel/country'
import type { ItemCondition } from '@/lib/kernel/item-condition'
import { DAY_MS } from '@/lib/kernel/time'

const AVAILABILITY = {
  // A scheduled drop cannot be ordered before its start, so it is not a pre-order.
  upcoming: 'https://schema.org/OutOfStock',
  live: 'https://schema.org/InStock',
  soldOut: 'https://schema.org/SoldOut',
  paused: 'https://schema.org/OutOfStock',
  ended: 'https://schema.org/Discontinued',
} as const satisfies Record<DropState, string>

const CONDITION = {
  new: 'https://schema.org/NewCondition',
  used: 'https://schema.org/UsedCondition',
  refurbished: 'https://schema.org/RefurbishedCondition',
} as const satisfies Record<ItemCondition, string>

/**
 * Describes a drop for search engines, as a schema.org Product with one Offer, in JSON. The text is safe inside a
 * script element, because `<` is escaped, so that no title or description can end the element.
 */
export function dropJsonLd(drop: DropView): string {
  const { appUrl } = env()
  const url = `${appUrl}/drop/${drop.identifier}`
  const { productType } = drop
  const seller = drop.user.username
  const itemCondition = conditionOf(drop)
  const property = plannedReturn(drop) ?? orderedUnits(drop)
  const product: WithContext<Product> = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: drop.title,
    description: drop.description,
    image: drop.imageUrls.map((path) => appUrl + path),
    sku: drop.uniqueId,
    url,
    ...(property ? { additionalProperty: property } : {}),
    offers: {
      '@type': 'Offer',
      url,
      price: drop.price,
      priceCurrency: 'USD',
      availability: drop.returnsAt ? AVAILABILITY.paused : AVAILABILITY[drop.state],
      ...(drop.returnsAt ? { availabilityStarts: drop.returnsAt } : {}),
      ...(drop.state === 'upcoming' ? { availabilityStarts: drop.startedAt } : {}),
      ...(itemCondition ? { itemCondition } : {}),
      ...(productType === 'physical' ? { shippingDetails: shippingOf(drop) } : {}),
      hasMerchantReturnPolicy: returnPolicy(drop, appUrl),
      validFrom: drop.startedAt,
      priceValidUntil: drop.endTime,
      ...(seller ? { seller: { '@type': 'Person', name: `@${seller}`, url: appUrl + profilePath(seller) } } : {}),
    },
  }
  return JSON.stringify(product)
    .replaceAll('<', '\\u003c')
    .replaceAll('>', '\\u003e')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}

/** The condition of what is sold. A download is a new copy for each buyer, and a service has no condition. */
function conditionOf({ productType, condition }: DropView) {
  if (productType === 'service') return null
  return CONDITION[condition ?? 'new']
}

/**
 * The planned return of a drop that has not ended (docs/product.md#history-of-a-drop). It is not a second Offer,
 * because the price and the units of the next run are not known yet.
 */
function plannedReturn({ state, history }: DropView): PropertyValue | null {
  if (state === 'ended' || !history?.returnsAt) return null
  return {
    '@type': 'PropertyValue',
    name: history.isReturnSure ? 'Returns' : 'May return',
    value: history.returnsAt,
  }
}

/** How many units of an open edition are ordered. Such a drop never returns (docs/product.md#open-editions). */
function orderedUnits({ isOpenEdition, state, sold }: DropView): PropertyValue | null {
  if (!isOpenEdition || state === 'upcoming') return null
  return { '@type': 'PropertyValue', name: state === 'ended' ? 'Ordered' : 'Ordered so far', value: sold }
}

/**
 * Shipping is included in the price (docs/product.md#what-the-buyer-is-asked), or each zone of the drop has a surcharge
 * for an order (docs/product.md#shipping-zones). If the seller promised to send parcels by a day that has not passed,
 * `handlingTime` has the number of days until then. No transit time is included, because none is promised.
 */
function shippingOf(drop: DropView): OfferShippingDetails | OfferShippingDetails[] {
  if (!drop.shippingZones) return shippingTo([...SHIPPING_COUNTRIES], 0, drop)
  return drop.shippingZones.map(({ countries, surcharge }) => shippingTo(countries, surcharge, drop))
}

function shippingTo(
  addressCountry: string[],
  value: number | string,
  { shipsFrom, shipsBy, serverTime }: DropView,
): OfferShippingDetails {
  const days = shipsBy === null ? -1 : Math.round((Date.parse(shipsBy) - Date.parse(serverTime.slice(0, 10))) / DAY_MS)
  return {
    '@type': 'OfferShippingDetails',
    shippingRate: { '@type': 'MonetaryAmount', value, currency: 'USD' },
    shippingDestination: { '@type': 'DefinedRegion', addressCountry },
    ...(shipsFrom === null ? {} : { shippingOrigin: { '@type': 'DefinedRegion', addressCountry: shipsFrom } }),
    ...(days < 0
      ? {}
      : {
          deliveryTime: {
            '@type': 'ShippingDeliveryTime',
            handlingTime: { '@type': 'QuantitativeValue', minValue: 0, maxValue: days, unitCode: 'DAY' },
          },
        }),
  }
}

/**
 * The seller decides about each refund request, so the category is unspecified (docs/product.md#refund-requests). The
 * link leads to the section about refunds in the terms.
 */
function returnPolicy({ productType, shippingZones }: DropView, appUrl: string): MerchantReturnPolicy {
  return {
    '@type': 'MerchantReturnPolicy',
    ...(productType === 'physical'
      ? { applicableCountry: shippingZones ? servedCountries(shippingZones) : [...SHIPPING_COUNTRIES] }
      : {}),
    returnPolicyCategory: 'https://schema.org/MerchantReturnUnspecified',
    merchantReturnLink: `${appUrl}/terms-of-service#refunds`,
  }
}
