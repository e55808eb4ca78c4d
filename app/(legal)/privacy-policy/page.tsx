import type { Metadata } from 'next'
import { LegalPage } from '@/components/legal/legal-page'
import { privacySections } from '@/components/legal/privacy-sections'

export const metadata: Metadata = {
  title: 'Privacy Policy',
  description: 'What we keep about sellers and buyers, why, for how long, and how to get it or have it deleted.',
  alternates: { canonical: '/privacy-policy' },
}

export default function PrivacyPolicyPage() {
  return (
    <LegalPage
      title="Privacy Policy"
      inShort="We collect what a sale needs and little else. We don't sell data, we show no advertising, and no other company tracks you on our pages. You can export your data or have it deleted."
      sections={privacySections}
    />
  )
}
