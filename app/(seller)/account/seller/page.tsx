import type { Metadata } from 'next'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { SellerDetailsForm } from '@/components/traders/seller-details-form'
import { SellerLimits } from '@/components/traders/seller-limits'
import { TaxSection } from '@/components/traders/tax-section'
import { pageContext, requireSeller } from '@/lib/http/page'
import { traderTexts } from '@/lib/traders/messages'
import { findLimitUse, findSellerDetails, listTaxRates } from '@/lib/traders/queries'
import { readSales } from '@/lib/traders/read-sales'
import { rateLine, offeredPeriods } from '@/lib/traders/rules'
import { saveSellerDetailsAction, saveTaxRatesAction } from './actions'

export const metadata: Metadata = { title: traderTexts.title, robots: { index: false } }

export default async function SellerDetailsPage() {
  const { actor, user } = await requireSeller('/account/seller')
  const ctx = await pageContext()
  const { userId } = actor
  const [details, rates, use, sales] = await Promise.all([
    findSellerDetails(ctx.db, userId),
    listTaxRates(ctx.db, userId),
    findLimitUse(ctx, userId),
    readSales(ctx, userId),
  ])
  const limit = use && { ...use, home: details?.country ?? ctx.sellerLimit?.homeCountry ?? '' }
  return (
    <>
      <SellerHeader plan={user.plan} place="account" isInside />
      <main className="mx-auto grid max-w-2xl gap-8 px-5 pb-24">
        <div className="grid gap-3">
          <PageTitle>{traderTexts.title}</PageTitle>
          <p className="text-muted">{traderTexts.intro}</p>
        </div>
        <SellerLimits limit={limit} sales={sales.isHighVolume && details?.kind !== 'business' ? sales : null} />
        <SellerDetailsForm details={details} email={user.email} onSave={saveSellerDetailsAction} />
        <TaxSection
          rates={rates.map(rateLine).join('\n')}
          periods={offeredPeriods(ctx.clock.now())}
          onSave={saveTaxRatesAction}
        />
      </main>
    </>
  )
}
