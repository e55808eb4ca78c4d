import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { notFound, redirect } from 'next/navigation'
import { CheckoutProblem } from '@/components/checkout/checkout-problem'
import { CheckoutScreen } from '@/components/checkout/checkout-screen'
import { CountryQuestion } from '@/components/checkout/country-question'
import { BuyerLinks } from '@/components/layout/buyer-links'
import { PublicHeader } from '@/components/layout/public-header'
import { SoldBy } from '@/components/traders/sold-by'
import { Button } from '@/components/ui/button'
import { buyerKeyOf } from '@/lib/checkout/choices/count-tap'
import { pathWithEarly } from '@/lib/drops/start/early-rules'
import { findPublicDrop } from '@/lib/drops/queries'
import { type DropRow, toDropView } from '@/lib/drops/view'
import { knownBuyerToken } from '@/lib/http/cookies/buyer-cookie'
import { clientIp } from '@/lib/http/client-ip'
import { createContext } from '@/lib/infra/context'
import { database } from '@/lib/infra/db'
import { env } from '@/lib/infra/env'
import { paymentsMode } from '@/lib/infra/stripe'
import { priceCode } from '@/lib/checkout/choices/choose-code'
import { countryOfPage } from '@/lib/checkout/choices/choose-country'
import { earlyProblemText, readEarlyLink } from '@/lib/checkout/choices/choose-early-link'
import { choiceProblem } from '@/lib/checkout/choices/choose-value'
import { limitToHome } from '@/lib/checkout/hold/limit-to-home'
import { chooseOptionText } from '@/lib/checkout/choices/option-messages'
import { stateRefusal, checkoutTexts } from '@/lib/checkout/messages'
import { readVariants } from '@/lib/checkout/schema'
import { findTrader } from '@/lib/traders/queries'

export const metadata: Metadata = { title: 'Checkout', robots: { index: false } }

type Props = {
  params: Promise<{ dropId: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

type Query = Awaited<Props['searchParams']>

/** Returns the named query parameters, without the empty ones. */
function parametersNamed(query: Query, names: readonly string[]): URLSearchParams {
  return new URLSearchParams(names.flatMap((name) => (query[name] ? [[name, String(query[name])]] : [])))
}

/** Returns a path with these query parameters, if there are any. */
const pathWith = (path: string, kept: URLSearchParams) => (kept.size > 0 ? `${path}?${kept}` : path)

/** Returns the drop with this id, limited to the countries that its seller may ship to now. */
async function loadDrop(dropId: string): Promise<DropRow | null> {
  const row = /^\d{1,10}$/.test(dropId) ? await findPublicDrop(database(), dropId) : null
  return row && limitToHome({ ...database(), sellerLimit: env().sellerLimit }, row)
}

type EarlyLink = Awaited<ReturnType<typeof readEarlyLink>>

/**
 * Returns why this choice of a drop cannot be bought now, or null. With an early link that works, the drop counts as
 * live. When the choice is missing or unknown, this checks only whether payments are off.
 */
function checkoutProblem(
  row: DropRow,
  variants: ReturnType<typeof readVariants>,
  link: EarlyLink | null,
): string | null {
  if (paymentsMode() === 'off') return checkoutTexts.paymentNotAvailable
  if (!variants) return null
  if (link && 'problem' in link) return earlyProblemText(link.problem)
  return stateRefusal(link ? 'live' : toDropView(row).state) ?? choiceProblem(row, variants)
}

export default async function CheckoutPage({ params, searchParams }: Props) {
  const { dropId } = await params
  const row = await loadDrop(dropId)
  if (!row || row.id !== Number(dropId)) notFound()
  const drop = toDropView(row)
  const mode = paymentsMode()
  const query = await searchParams
  // With Stripe Tax, buyers pay on Stripe's page only (ADR 0073), to which the drop's page leads.
  if (env().hasStripeTax) redirect(pathWith(`/drop/${drop.identifier}`, parametersNamed(query, ['code', 'early'])))
  const variants = readVariants(query.variants)
  const early = query.early === undefined ? undefined : String(query.early).slice(0, 200)
  const dropPath = pathWithEarly(`/drop/${drop.identifier}`, early)
  const buyerToken = await knownBuyerToken()
  const buyerKey = buyerToken && buyerKeyOf(buyerToken)
  const link = early === undefined ? null : await readEarlyLink(database(), row, { token: early, buyerKey })
  const problem = checkoutProblem(row, variants, link)
  if (problem || !variants) {
    return (
      <CheckoutProblem
        title={mode === 'off' ? checkoutTexts.paymentNotAvailableTitle : checkoutTexts.checkoutErrorTitle}
        text={problem ?? (drop.option ? chooseOptionText(drop.option.name) : checkoutTexts.unknownVariants)}
        dropPath={dropPath}
      />
    )
  }
  const requestHeaders = await headers()
  const code = await priceCode(createContext({ actor: { kind: 'visitor' }, ip: clientIp(requestHeaders) }), row, {
    typed: String(query.code ?? '').slice(0, 100),
    buyerToken,
    isFromOtherSite: requestHeaders.get('sec-fetch-site') === 'cross-site',
  })
  const path = `/checkout/${drop.id}`
  const pathWithoutCode = pathWith(path, parametersNamed(query, ['variants', 'country', 'early']))
  if (code && 'problem' in code) {
    return (
      <CheckoutProblem title={checkoutTexts.codeRefusedTitle} text={code.problem} dropPath={dropPath}>
        <Button asChild>
          <a href={pathWithoutCode}>{checkoutTexts.buyWithoutCode}</a>
        </Button>
      </CheckoutProblem>
    )
  }
  const chosen = countryOfPage(row, row.shippingZones ? String(query.country ?? '') : '')
  if ('problem' in chosen) {
    const rest = Object.fromEntries(parametersNamed(query, ['variants', 'code', 'early']))
    return <CountryQuestion zones={drop.shippingZones ?? []} problem={chosen.problem} path={path} query={rest} />
  }
  const trader = await findTrader(database().db, row.userId)
  return (
    <>
      <PublicHeader dropId={drop.id} />
      <CheckoutScreen
        drop={drop}
        variants={variants}
        discount={code}
        shipping={chosen.shipping}
        withoutCode={pathWithoutCode}
        early={early}
        publishableKey={mode === 'live' ? (env().stripePublishableKey ?? '') : null}
        soldBy={trader ? <SoldBy trader={trader} username={row.sellerUsername} /> : null}
      />
      <div className="mx-auto max-w-4xl px-5 pb-24">
        <BuyerLinks />
      </div>
    </>
  )
}
