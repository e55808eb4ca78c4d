import type { ShippingZone } from '@/lib/drops/delivery/zone-rules'

/** The countries that the parcels of some demo drops are sent to, by the key of the drop. */
export const demoZones: Partial<Record<string, ShippingZone[]>> = {
  beanie: [
    { cents: 0, countries: ['US', 'CA'] },
    { cents: 900, countries: ['GB', 'IE', 'DE', 'FR', 'NL', 'BE', 'ES', 'PT', 'IT'] },
    { cents: 1600, countries: ['JP', 'AU', 'NZ'] },
  ],
  'candle-winter': [
    { cents: 400, countries: ['ES', 'PT', 'FR', 'IT', 'DE', 'NL', 'BE', 'AT'] },
    { cents: 1200, countries: ['US', 'CA', 'GB'] },
  ],
}
