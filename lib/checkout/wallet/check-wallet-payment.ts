import 'server-only'
import { buyerKeyOf } from '../choices/count-tap'
import { findPublicDrop } from '@/lib/drops/queries'
import { onlyCountry } from '@/lib/drops/delivery/zone-rules'
import type { Context } from '@/lib/infra/context'
import { countryWithArticle } from '@/lib/kernel/country'
import type { ProductType } from '@/lib/kernel/product-type'
import { limitToHome } from '../hold/limit-to-home'
import { lateUnitsSql } from '../settlement/late-units-sql'
import { orderError } from '@/lib/orders/messages'
import { checkoutTexts, checkoutError } from '../messages'
import { walletDetailsText } from './wallet-messages'
import { YIELDED } from '../queries'
import { buyerDetailsSchema, parcelDetailsSchema } from '@/lib/orders/address-schema'
import type { CheckWalletInput } from './wallet-schema'
import { onlyCountryText, otherCountryText } from '../choices/country-messages'

/**
 * SQL: whether a yielded hold `h` would probably get units again if it were paid now. Units of contested holds count as
 * free, and an edition that has ended has none. markPaid() decides.
 */
const HAS_UNITS = `(d."run" = h."run" AND NOT ((d."isNumbered" OR d."isOpenEdition") AND d."endTime" <= now()) AND ${lateUnitsSql.mayRetakeEarly('h', 'h."id"')} AND h."quantity" <= ${lateUnitsSql.free('h."valueId"')}
  + (SELECT COALESCE(sum(c."quantity"), 0) FROM "Hold" c WHERE ${lateUnitsSql.isContested('h."dropId"', 'h."valueId"')}))`

type Checked = {
  dropId: number
  amountCents: number
  shipsTo: string | null
  productType: ProductType
  /** Why the hold was released; null while the units are held. */
  reason: string | null
  isPaid: boolean
  isPayable: boolean
}

/**
 * Checks a payment by wallet after the buyer has confirmed it in the wallet's sheet and before the money moves
 * (docs/product.md#wallets): the units are still held, the sheet showed the amount that is charged, and the wallet
 * provided what the form of the embedded checkout also requires. The check is not repeated for a payment that went
 * through.
 * @throws PAYMENTS_OFF, NOT_FOUND, HOLD_OVER, PRICE_CHANGED, WALLET_DETAILS
 */
export async function checkWalletPayment(
  ctx: Context,
  input: CheckWalletInput & { buyerToken: string },
): Promise<void> {
  if (ctx.payments === 'off') throw checkoutError('PAYMENTS_OFF')
  const [order] = await ctx.sql<Checked>(
    'wallet-payment',
    `SELECT o."dropId", o."amountCents", o."shipsTo", o."productType", h."reason", o."paidAt" IS NOT NULL AS "isPaid",
            (h."state" = 'held' OR ${YIELDED} AND ${HAS_UNITS}) AND h."expiresAt" > now() AS "isPayable"
       FROM "Order" o JOIN "Hold" h ON h."id" = o."holdId" JOIN "Drop" d ON d."id" = h."dropId"
            LEFT JOIN "OptionValue" v ON v."id" = h."valueId"
      WHERE o."stripePaymentIntentId" = :intentId AND h."buyerKey" = :buyerKey AND h."mode" = 'embedded'`,
    { intentId: input.paymentIntentId, buyerKey: buyerKeyOf(input.buyerToken) },
  )
  if (!order) throw orderError('NOT_FOUND')
  if (order.isPaid) return
  if (!order.isPayable) throw checkoutError('HOLD_OVER', isReplaced(order) ? { text: checkoutTexts.holdReplaced } : {})
  if (order.amountCents !== input.amountCents) throw checkoutError('PRICE_CHANGED')
  const schema = order.productType === 'physical' ? parcelDetailsSchema : buyerDetailsSchema
  const issue = schema.safeParse({ ...input.details, phone: plainPhone(input.details.phone) }).error?.issues[0]
  if (!issue) return assertCountry(ctx, order, input.details.country)
  const field = issue.path.find((part) => typeof part === 'string')
  throw checkoutError('WALLET_DETAILS', { text: walletDetailsText(issue.message), ...(field ? { field } : {}) })
}

/** Whether the buyer's own browser ended this checkout, by another tap or a closed sheet, perhaps in another tab. */
function isReplaced({ reason }: Checked): boolean {
  return reason === 'restarted' || reason === 'cancelled'
}

/**
 * Refuses an address outside the country that the buyer chose or, for a seller who ships only at home, outside the
 * seller's country.
 * @throws WALLET_DETAILS
 */
async function assertCountry(ctx: Context, order: Checked, country: string): Promise<void> {
  const { shipsTo, productType } = order
  if (productType !== 'physical' || shipsTo === null || shipsTo === country) return
  const drop = await findPublicDrop(ctx, String(order.dropId))
  const only = drop && onlyCountry((await limitToHome(ctx, drop)).shippingZones ?? [])
  const textOf = shipsTo === only ? onlyCountryText : otherCountryText
  throw checkoutError('WALLET_DETAILS', {
    text: walletDetailsText(textOf(countryWithArticle(shipsTo))),
    field: 'country',
  })
}

/**
 * Returns a phone number as the form requires it. A wallet passes on the number as its owner saved it, such as
 * "0171/1234567" or "+1 555 555 0100 ext. 2", and its sheet does not let the owner change it.
 */
function plainPhone(phone: string): string {
  return phone.replace(/\s*(?:ext|x|#)[.:]?\s*\d{1,6}$/i, '').replace(/[^\d+().\s-]/g, ' ')
}
