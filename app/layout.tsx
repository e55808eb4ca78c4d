import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { HelpChat } from '@/components/help-chat/help-chat'
import { Connection } from '@/components/layout/connection'
import { UnhydratedForms } from '@/components/layout/unhydrated-forms'
import { ReplayPress } from '@/components/layout/replay-press'
import { Providers } from '@/components/layout/providers'
import { SandboxBanner } from '@/components/layout/sandbox-banner'
import { UpgradeElsewhere } from '@/components/plans/upgrade-elsewhere'
import { NONCE_HEADER } from '@/lib/http/content-security-policy.mjs'
import { env } from '@/lib/infra/env'
import { storage } from '@/lib/infra/storage'
import { paymentsMode } from '@/lib/infra/stripe'
import { brand, BRAND_ATTRIBUTE, brandSettings } from '@/lib/kernel/brand'
import { bricolage, bricolageWhole, geist, geistWhole } from './fonts'
import './globals.css'

// Pages are rendered when they are requested and not during the build, because the public URL and the payments mode
// come from the environment of the running process.
export const dynamic = 'force-dynamic'

const FONTS = [bricolage, bricolageWhole, geist, geistWhole].map(({ variable }) => variable).join(' ')

/** The preview image of pages without their own; lib/artwork/draw-icons.mjs draws it. */
const preview = {
  url: '/preview.png',
  width: 1200,
  height: 630,
  alt: `${brand.name}: ${brand.tagline}`,
  type: 'image/png',
}

export function generateMetadata(): Metadata {
  return {
    metadataBase: new URL(env().appUrl),
    title: { default: `${brand.name} – ${brand.tagline}`, template: `%s – ${brand.name}` },
    description: brand.description,
    applicationName: brand.name,
    openGraph: { siteName: brand.name, type: 'website', images: [preview] },
    twitter: { card: 'summary_large_image', images: [preview] },
  }
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  viewportFit: 'cover',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#fbf9f5' },
    { media: '(prefers-color-scheme: dark)', color: '#121110' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(NONCE_HEADER) ?? undefined
  const settings = brandSettings()
  const branded = Object.keys(settings).length > 0 ? { [BRAND_ATTRIBUTE]: JSON.stringify(settings) } : {}
  return (
    <html lang="en" className={FONTS} {...branded}>
      <body className="antialiased" data-uploads={storage().direct ? 'direct' : undefined}>
        <UnhydratedForms nonce={nonce} />
        {paymentsMode() === 'sandbox' ? <SandboxBanner /> : null}
        <Providers>
          {children}
          <HelpChat />
          <Connection />
          <UpgradeElsewhere />
          <ReplayPress />
        </Providers>
      </body>
    </html>
  )
}
