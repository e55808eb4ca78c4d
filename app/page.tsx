import type { Metadata } from 'next'
import { Landing } from '@/components/landing/landing'
import { landingDrops } from '@/lib/http/landing-drops'

export const metadata: Metadata = { alternates: { canonical: '/' } }

// The landing page. Whoever carries a session is shown the dashboard under the same address, by middleware.ts: a visitor's
// phone fetches nothing of it, and there is no flash in between (DECISIONS 33).
export default async function HomePage() {
  return <Landing drops={await landingDrops()} />
}
