import type { Metadata } from 'next'
import { TrackingImport } from '@/components/orders/tracking-import'
import { PageTitle } from '@/components/layout/page-title'
import { SellerHeader } from '@/components/layout/seller-header'
import { requireSeller } from '@/lib/http/page'
import { applyTrackingAction, previewTrackingAction } from '../actions'

export const metadata: Metadata = { title: 'Add tracking numbers' }

export default async function ImportTrackingPage() {
  const { user } = await requireSeller('/orders/import')
  return (
    <>
      <SellerHeader plan={user.plan} place="orders" isInside />
      <main className="mx-auto grid max-w-3xl gap-5 px-5 pb-24">
        <PageTitle back="/orders">Add tracking numbers</PageTitle>
        <p className="text-muted">
          Download the{' '}
          <a href="/orders/export.csv?show=ship" download className="font-medium text-ink underline underline-offset-2">
            orders to ship
          </a>
          , fill in the carrier and tracking_number columns, and upload the file. Or upload any CSV with the columns
          order, carrier and tracking_number. You&apos;ll see a preview before anything changes.
        </p>
        <TrackingImport onPreview={previewTrackingAction} onApply={applyTrackingAction} />
      </main>
    </>
  )
}
