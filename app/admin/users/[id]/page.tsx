import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { ClearProfileForm } from '@/components/admin/clear-profile-form'
import { ProfileWords } from '@/components/admin/profile-words'
import { SellerIdentity } from '@/components/admin/seller-identity'
import { SellerGlance } from '@/components/admin/seller-glance'
import { idParams } from '@/lib/admin/schema'
import { viewSeller } from '@/lib/admin/view-seller'
import { adminPage } from '@/lib/http/admin-page'
import { findPublicProfile } from '@/lib/profiles/queries'
import { findSellerDetails } from '@/lib/traders/queries'
import { readSales } from '@/lib/traders/read-sales'
import { clearProfileAction } from '../../actions'

export const metadata: Metadata = { title: 'View as seller', robots: { index: false } }

type Props = { params: Promise<{ id: string }> }

export default async function ViewAsPage({ params }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const id = idParams.safeParse(await params)
  const seller = id.success ? await viewSeller({ ...page.ctx, actor: page.actor }, id.data.id) : null
  if (!seller) notFound()
  const [words, details, sales] = await Promise.all([
    findPublicProfile(page.ctx, seller.user.id),
    findSellerDetails(page.ctx.db, seller.user.id),
    readSales(page.ctx, seller.user.id),
  ])
  return (
    <AdminLayout
      title={seller.user.username ? `@${seller.user.username}` : seller.user.email}
      text="This is what the seller sees. You can only remove the text of the public profile. Your visit is in the audit log."
    >
      <SellerGlance {...seller} />
      <SellerIdentity details={details} sales={sales} />
      <section aria-labelledby="profile-words" className="grid gap-3">
        <h2 id="profile-words" className="text-xl font-bold">
          Public profile
        </h2>
        <ProfileWords {...words} />
        {words.about || words.links.length > 0 ? (
          <ClearProfileForm userId={seller.user.id} onClear={clearProfileAction} />
        ) : null}
      </section>
    </AdminLayout>
  )
}
