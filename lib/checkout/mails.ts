import 'server-only'
import { photoOfMail } from '@/lib/drops/mails'
import { openTexts } from '@/lib/drops/editions/open-messages'
import { referenceOf } from '@/lib/kernel/id'
import { formatUsd } from '@/lib/kernel/money'
import { endSentence } from '@/lib/kernel/text'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { MAIL_BLANK } from '@/lib/notifications/queue-mail'
import { type TaxText, taxTexts } from '@/lib/traders/messages'
import { promiseOfOrder } from '@/lib/orders/view'
import { checkoutTexts } from './messages'
import { type MailedOrder, sellerInMail, discountFact, surchargeFact, orderLink } from '@/lib/orders/mails'

const whatHappensNext = {
  physical: "The seller is packing your order. We'll email you when it ships.",
  digital: 'Your download is ready on your order page.',
  service: checkoutTexts.nextStep.service,
} as const

/** Says where the keys of an order are. The button on the order page has the same words. */
const keysNext = (quantity: number) =>
  quantity === 1
    ? "Your key is on your order page. Tap Show my key there. We don't send keys by email."
    : "Your keys are on your order page. Tap Show my keys there. We don't send keys by email."

/** Returns the line about the tax in the amount, or an empty list for an order without Stripe Tax. */
function taxFact({ taxCents = 0 }: MailedOrder, { label, value }: TaxText): [string, string][] {
  return taxCents === 0 ? [] : [[label, value(taxCents)]]
}

/** Returns the line with the numbers of a numbered order. The statement that sells the units replaces MAIL_BLANK. */
function numberFact({ isNumbered, isOpenEdition, quantity }: MailedOrder): [string, string][] {
  if (!isNumbered) return []
  return [
    [quantity > 1 ? 'Your numbers' : 'Your number', `No. ${MAIL_BLANK}`],
    ...(isOpenEdition ? ([['Edition', openTexts.numberNote]] satisfies [string, string][]) : []),
  ]
}

/** Returns the line that says where a parcel ships from and by when, or an empty list without such a promise. */
function promiseFact({ shipsFrom = null, shipsBy = null }: MailedOrder): [string, string][] {
  const text = promiseOfOrder({ shipsFrom, shipsBy })
  return text ? [['Shipping', text]] : []
}

/**
 * Sent once per order, no matter how many times the webhook is delivered.
 * @param address the address of a parcel on one line, so that the buyer notices a wrong one in time.
 */
export function buyerReceipt(
  order: MailedOrder,
  email: string,
  appUrl: string,
  address: string | null = null,
): QueuedMail {
  return composeMail(email, `receipt:${order.id}`, {
    subject: `Your order: ${order.dropTitle}`,
    preview: `You paid ${formatUsd(order.amountCents)}. Keep this email for the link to your order.`,
    heading: 'Thanks for your order',
    paragraphs: [
      `You bought ${order.dropTitle} from ${sellerInMail(order.seller)}.`,
      order.hasKeys ? keysNext(order.quantity) : whatHappensNext[order.productType],
    ],
    facts: [
      ['Order', referenceOf(order.id)],
      ['Quantity', String(order.quantity)],
      ...numberFact(order),
      ...discountFact(order),
      ...surchargeFact(order),
      ...promiseFact(order),
      ...(address === null ? [] : ([['Ships to', address]] satisfies [string, string][])),
      ['Total paid', `${formatUsd(order.amountCents)} USD`],
      ...taxFact(order, taxTexts.included),
    ],
    ...photoOfMail(order.photo, order.dropTitle, appUrl),
    ...orderLink(order, appUrl),
    footer: 'Anyone with this link can open your order, so keep it to yourself.',
  })
}

/** Notifies the seller of a paid order, with what the sale brings before the card fee, which is not known yet. */
export function sellerSaleNotice(
  order: MailedOrder,
  seller: { email: string; firstName: string },
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `sale:${order.id}`, {
    subject: `Sold: ${order.dropTitle}`,
    preview: `You sold ${order.quantity} for ${formatUsd(order.amountCents)}.`,
    heading: `You made a sale, ${seller.firstName}`,
    paragraphs: [endSentence(`You just sold ${order.quantity} × ${order.dropTitle}`)],
    facts: [
      ...numberFact(order).map(([, numbers]): [string, string] => ['Edition', numbers]),
      ...discountFact(order),
      ...surchargeFact(order),
      ...promiseFact(order),
      ['Amount', formatUsd(order.amountCents)],
      [
        `Platform fee (${order.platformFeeBps / 100}%)`,
        `−${formatUsd(order.platformFeeCents - (order.taxCents ?? 0))}`,
      ],
      ...taxFact(order, taxTexts.withheld),
      ['Payout before card fee', formatUsd(order.sellerPayoutCents)],
    ],
    button: { label: 'View order', url: `${appUrl}/orders/${order.id}` },
  })
}
