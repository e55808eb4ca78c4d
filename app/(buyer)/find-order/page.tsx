import type { Metadata } from 'next'
import { BuyerQuestions } from '@/components/checkout/buyer-questions'
import { FindOrder } from '@/components/checkout/find-order'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'

export const metadata: Metadata = { title: 'Find my order' }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

export default async function FindOrderPage({ searchParams }: Props) {
  const { sent } = await searchParams
  return (
    <>
      <PublicHeader />
      <main className="mx-auto grid max-w-md gap-5 px-5 py-10">
        <h1 className="text-4xl font-extrabold">Find my order</h1>
        <p className="text-lg text-muted">
          Enter the email address you used at checkout. We&apos;ll send you links to your orders.
        </p>
        <FindOrder isSent={sent !== undefined} />
        <BuyerQuestions />
        <BuyerLinks />
      </main>
    </>
  )
}
