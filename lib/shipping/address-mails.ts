import 'server-only'
import { referenceOf } from '@/lib/kernel/id'
import { composeMail, type QueuedMail } from '@/lib/notifications/compose-mail'
import { type AddressColumns, addressLine } from '@/lib/orders/address-rules'
import { orderLink } from '@/lib/orders/mails'

type Changed = {
  id: string
  token: string
  dropTitle: string
  version: number
  before: AddressColumns
  after: AddressColumns
  isUndo: boolean
}

const facts = ({ before, after, id }: Changed): [string, string][] => [
  ['Order', referenceOf(id)],
  ['New address', addressLine(after)],
  ['Old address', addressLine(before)],
]

/** Notifies the buyer of a changed address, because anyone with the link of the order can change it. */
export function addressChangedNotice(order: Changed, email: string, appUrl: string): QueuedMail {
  return composeMail(email, `address:${order.id}:${order.version}`, {
    subject: `${order.isUndo ? 'Address restored' : 'Address changed'}: ${order.dropTitle}`,
    preview: "Wasn't you? You can undo this for ten minutes.",
    heading: order.isUndo ? 'Your earlier address is back' : 'Your address was changed',
    paragraphs: [
      order.isUndo
        ? 'We undid the change and notified the seller.'
        : `The shipping address for ${order.dropTitle} was changed on your order page. We notified the seller.`,
      'You can undo a change for ten minutes. Until your order ships, you can change the address again.',
    ],
    facts: facts(order),
    ...orderLink(order, appUrl),
  })
}

/**
 * Notifies the seller of a changed address, and asks for a new packing slip if one with the old address was printed.
 */
export function addressChangedSellerNotice(
  order: Changed & { slipVersion: number | null },
  seller: { email: string },
  appUrl: string,
): QueuedMail {
  return composeMail(seller.email, `address-seller:${order.id}:${order.version}`, {
    subject: `New address for ${order.dropTitle} (${referenceOf(order.id)})`,
    preview: 'Your buyer changed where the order ships to.',
    heading: 'Your buyer changed the address',
    paragraphs: [
      'Please ship the order to the new address.',
      order.slipVersion === null
        ? "If you've already made a label, please replace it."
        : "You've already printed a packing slip with the old address. Please print a new one.",
    ],
    facts: facts(order),
    button: { label: 'Print the new slip', url: `${appUrl}/orders/slips?order=${order.id}` },
  })
}
