import type { Metadata } from 'next'
import { Landing } from '@/components/landing/landing'
import { landingDrops } from '@/lib/http/landing-drops'

export const metadata: Metadata = { alternates: { canonical: '/' } }

// The landing page. For requests with a session cookie, middleware.ts shows the dashboard at the same URL. Visitors
// therefore download no dashboard code, and sellers see no flash of the landing page
// (docs/product.md#pages-know-who-is-asking).
export default async function HomePage() {
  return <Landing drops={await landingDrops()} />
}
