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
      inShort="Sellers sell, buyers buy, and we run the countdown, the checkout and the payouts. This page says what each side can expect and what isn't allowed."
      sections={termsSections}
    />
  )
}
