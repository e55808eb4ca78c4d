import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { CheckoutProblem } from '@/components/checkout/checkout-problem'
import { CheckoutScreen } from '@/components/checkout/checkout-screen'
import { HomeLink } from '@/components/layout/home-link'
import { MessagePage } from '@/components/layout/message-page'
import { PublicHeader } from '@/components/layout/public-header'
import { Button } from '@/components/ui/button'
import { findPublicDrop } from '@/lib/drops/queries'
import { toDropView } from '@/lib/drops/view'
import { knownBuyerToken } from '@/lib/http/buyer-cookie'
import { clientIp } from '@/lib/http/client-ip'
import { createContext } from '@/lib/infra/context'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { paymentsMode } from '@/lib/infra/stripe'
import { priceCode } from '@/lib/orders/choose-code'
import { choiceProblem } from '@/lib/orders/choose-value'
import { chooseOptionText, orderTexts, stateRefusal } from '@/lib/orders/messages'
import { readVariants } from '@/lib/orders/schema'

export const metadata: Metadata = { title: 'Checkout', robots: { index: false } }

type Props = {
  params: Promise<{ dropId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function CheckoutPage({ params, searchParams }: Props) {
  const { dropId } = await params
  const row = /^\d{1,10}$/.test(dropId) ? await findPublicDrop(database(), dropId) : null
  if (!row || row.id !== Number(dropId)) {
    return (
      <MessagePage title="Drop Not Found" text="This drop may have expired or doesn't exist.">
        <Button asChild>
          <HomeLink toDrops>Browse Other Drops</HomeLink>
        </Button>
      </MessagePage>
    )
  }
  const drop = toDropView(row)
  const mode = paymentsMode()
  const query = await searchParams
  const variants = readVariants(query.variants)
  const problem =
    mode === 'off'
      ? orderTexts.paymentNotAvailable
      : variants
        ? (stateRefusal(drop.state) ?? choiceProblem(row, variants))
        : null
  if (problem || !variants) {
    return (
      <CheckoutProblem
        title={mode === 'off' ? orderTexts.paymentNotAvailableTitle : orderTexts.checkoutErrorTitle}
        text={problem ?? (drop.option ? chooseOptionText(drop.option.name) : orderTexts.unknownVariants)}
        dropPath={`/drop/${drop.identifier}`}
      />
    )
  }
  const sent = await headers()
  const code = await priceCode(createContext({ actor: { kind: 'visitor' }, ip: clientIp(sent) }), row, {
    typed: String(query.code ?? '').slice(0, 100),
    buyerToken: await knownBuyerToken(),
    isFromOtherSite: sent.get('sec-fetch-site') === 'cross-site',
  })
  const withoutCode = `/checkout/${drop.id}${query.variants ? `?${new URLSearchParams({ variants: String(query.variants) })}` : ''}`
  if (code && 'problem' in code) {
    return (
      <CheckoutProblem title={orderTexts.codeRefusedTitle} text={code.problem} dropPath={`/drop/${drop.identifier}`}>
        <Button asChild>
          <a href={withoutCode}>{orderTexts.buyWithoutCode}</a>
        </Button>
      </CheckoutProblem>
    )
  }
  return (
    <>
      <PublicHeader />
      <CheckoutScreen
        drop={drop}
        variants={variants}
        discount={code}
        withoutCode={withoutCode}
        publishableKey={mode === 'live' ? (env().stripePublishableKey ?? '') : null}
      />
    </>
  )
}
