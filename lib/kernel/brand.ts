/** The properties of the platform that the environment may change (docs/contract.md#environment). */
export type BrandSettings = {
  name?: string
  tagline?: string
  description?: string
  /** The person or company that runs the platform, and its postal address, for the policies. */
  legalName?: string
  legalAddress?: string
  contact?: { support?: string; privacy?: string; legal?: string }
}

/** The attribute of <html> that carries the settings to the browser, which needs them before any script has run. */
export const BRAND_ATTRIBUTE = 'data-brand'

// instrumentation.ts puts the settings on the global object before any page is loaded.
const shared = globalThis as typeof globalThis & { lastcallBrand?: BrandSettings }

/** Returns the settings of this installation, or an empty object when the environment has none. */
export function brandSettings(): BrandSettings {
  if (typeof document === 'undefined') return shared.lastcallBrand ?? {}
  const text = document.documentElement.getAttribute(BRAND_ATTRIBUTE)
  return text ? (JSON.parse(text) as BrandSettings) : {}
}

const given = brandSettings()

/** The product's name and its texts about itself, for all pages and emails. */
export const brand = {
  name: given.name ?? 'Lastcall',
  tagline: given.tagline ?? 'Drops that end',
  description:
    given.description ??
    'Time-limited drops from creators, each behind one link. When the clock runs out, the drop ends.',
  legalName: given.legalName ?? null,
  legalAddress: given.legalAddress ?? null,
  /** The addresses for users who write to us. */
  contact: {
    support: given.contact?.support ?? 'support@lastcall.example',
    privacy: given.contact?.privacy ?? 'privacy@lastcall.example',
    legal: given.contact?.legal ?? 'legal@lastcall.example',
  },
} as const

/** All three policies show this date (docs/product.md#legal-pages). */
export const policiesDated = { iso: '2025-07-29', text: 'July 29, 2025' } as const
