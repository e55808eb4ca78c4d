import type { Metadata } from 'next'
import { LegalPage } from '@/components/legal/legal-page'
import { prohibitedSections } from '@/components/legal/prohibited-sections'

export const metadata: Metadata = {
  title: 'Prohibited Content Policy',
  description: 'What may not be sold in a drop, how drops are checked, and what follows when a rule is broken.',
  alternates: { canonical: '/prohibited-content' },
}

export default function ProhibitedContentPage() {
  return (
    <LegalPage
      title="Prohibited Content Policy"
      inShort="If it is illegal, dangerous, stolen, fake or made to hurt somebody, it cannot be a drop. Here is what that means, how we check, and what happens when it is tried anyway."
      sections={prohibitedSections}
    />
  )
}
