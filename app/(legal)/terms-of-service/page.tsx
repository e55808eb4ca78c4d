import type { Metadata } from 'next'
import { LegalPage } from '@/components/legal/legal-page'
import { termsSections } from '@/components/legal/terms-sections'

export const metadata: Metadata = {
  title: 'Terms of Service',
  description: 'The agreement between sellers, buyers and the platform: fees, payouts, refunds, rules and limits.',
  alternates: { canonical: '/terms-of-service' },
}

export default function TermsOfServicePage() {
  return (
    <LegalPage
      title="Terms of Service"
      inShort="Sellers sell, buyers buy, we run the clock, the checkout and the payouts in between. This page says what each side can count on and what it must not do."
      sections={termsSections}
    />
  )
}
