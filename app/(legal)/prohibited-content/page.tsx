import type { Metadata } from 'next'
import { LegalPage } from '@/components/legal/legal-page'
import { prohibitedSections } from '@/components/legal/prohibited-sections'

export const metadata: Metadata = {
  title: 'Prohibited Content Policy',
  description: 'What may not be sold in a drop, how drops are checked, and what happens when a rule is broken.',
  alternates: { canonical: '/prohibited-content' },
}

export default function ProhibitedContentPage() {
  return (
    <LegalPage
      title="Prohibited Content Policy"
      inShort="If something is illegal, dangerous, stolen, fake or made to hurt someone, you can't sell it here. This page explains what that means, how we check, and what happens when someone tries."
      sections={prohibitedSections}
    />
  )
}
