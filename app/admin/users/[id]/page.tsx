import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { AdminGate } from '@/components/admin/admin-gate'
import { AdminLayout } from '@/components/admin/admin-layout'
import { SellerGlance } from '@/components/admin/seller-glance'
import { idParams } from '@/lib/admin/schema'
import { viewSeller } from '@/lib/admin/view-seller'
import { adminPage } from '@/lib/http/admin-page'

export const metadata: Metadata = { title: 'View as seller', robots: { index: false } }

type Props = { params: Promise<{ id: string }> }

export default async function ViewAsPage({ params }: Props) {
  const page = await adminPage()
  if (page.access !== 'granted') return <AdminGate page={page} />
  const id = idParams.safeParse(await params)
  const seller = id.success ? await viewSeller({ ...page.ctx, actor: page.actor }, id.data.id) : null
  if (!seller) notFound()
  return (
    <AdminLayout
      title={seller.user.username ? `@${seller.user.username}` : seller.user.email}
      text="Read only. This is what the seller sees. Your visit is in the audit log."
    >
      <SellerGlance {...seller} />
    </AdminLayout>
  )
}
