import 'server-only'
import type { AddressChange, Drop, Order, Prisma, User } from '@prisma/client'
import { type ShippingZone, zoneOf } from '@/lib/drops/delivery/zone-rules'
import { type Context, transaction } from '@/lib/infra/context'
import { countryWithArticle } from '@/lib/kernel/country'
import { queueMail } from '@/lib/notifications/queue-mail'
import { addressChangedNotice, addressChangedSellerNotice } from './address-mails'
import {
  type AddressColumns,
  addressOf,
  countriesOfOrder,
  isUndoable,
  MOST_ADDRESS_CHANGES,
} from '@/lib/orders/address-rules'
import { hasSellerLimit } from '@/lib/traders/has-seller-limit'
import { orderError } from '@/lib/orders/messages'
import { shippingError, unservedAddressText } from './messages'
import type { ChangeAddressInput } from '@/lib/orders/address-schema'

/**
 * Changes the address of an order until it is shipped (docs/product.md#changing-the-address). The token in the link is
 * the permission. Buyer and seller get an email, and the row of the change keeps the old and the new address. Sending
 * the same address again changes nothing.
 * @returns whether the address changed
 * @throws NOT_FOUND, ADDRESS_FIXED when the order was shipped, refunded or disputed, ADDRESS_COUNTRY, ADDRESS_OFTEN
 */
export async function changeAddress(ctx: Context, { token, ...typed }: ChangeAddressInput): Promise<boolean> {
  const address: AddressColumns = {
    shipName: typed.name,
    shipLine1: typed.line1,
    shipLine2: typed.line2 || null,
    shipCity: typed.city,
    shipState: typed.state || null,
    shipPostalCode: typed.postalCode,
    shipCountry: typed.country,
    buyerPhone: typed.phone || null,
  }
  return transaction(ctx, async (tx) => {
    const { order } = await lockChangeable(tx, token)
    const isHomeOnly = hasSellerLimit(tx, {
      userId: order.sellerId,
      isSellerReady: order.seller.payoutsState === 'ready',
    })
    const countries = countriesOfOrder(order, { ...order.drop, isHomeOnly })
    if (countries && !countries.includes(typed.country)) {
      const isServed = !isHomeOnly && zoneOf((order.drop.shippingZones ?? []) as ShippingZone[], typed.country)
      throw shippingError(
        'ADDRESS_COUNTRY',
        isServed ? {} : { text: unservedAddressText(countryWithArticle(typed.country)) },
      )
    }
    return write(tx, order, address, false)
  })
}

/**
 * Restores the address from before the newest change, within ten minutes of that change and until the order is shipped.
 * A second call changes nothing. The last change that is allowed can be undone, too.
 * @throws NOT_FOUND, ADDRESS_FIXED, UNDO_OVER
 */
export async function undoAddress(ctx: Context, { token }: { token: string }): Promise<void> {
  await transaction(ctx, async (tx) => {
    const { order, newest } = await lockChangeable(tx, token)
    if (newest?.isUndo) return
    if (!newest || !isUndoable(newest, tx.clock.now())) throw shippingError('UNDO_OVER')
    await write(tx, order, newest.before as AddressColumns, true)
  })
}

type Changeable = {
  order: Order & { seller: User; drop: Pick<Drop, 'shippingZones'> }
  newest: AddressChange | undefined
}

async function lockChangeable(tx: Context, token: string): Promise<Changeable> {
  await tx.db.$queryRaw`SELECT 1 FROM "Order" WHERE "token" = ${token} FOR UPDATE`
  const include = {
    seller: true,
    drop: { select: { shippingZones: true } },
    addressChanges: { orderBy: { version: 'desc' }, take: 1 },
  } as const
  const found = await tx.db.order.findUnique({ where: { token }, include })
  if (!found?.paidAt) throw orderError('NOT_FOUND')
  const { addressChanges, ...order } = found
  if (order.productType !== 'physical' || order.status !== 'paid' || order.lateRefundAt !== null) {
    throw shippingError('ADDRESS_FIXED')
  }
  return { order, newest: addressChanges[0] }
}

/**
 * Writes the address and its row. markShipped() compares the version of the address that the seller saw, so a parcel is
 * not marked as shipped to an address that its label does not have.
 * @returns whether the address changed
 */
async function write(
  tx: Context,
  order: Changeable['order'],
  after: AddressColumns,
  isUndo: boolean,
): Promise<boolean> {
  const before = addressOf(order)
  if (JSON.stringify(before) === JSON.stringify(addressOf(after))) return false
  const version = order.addressVersion + 1
  if (!isUndo && version > MOST_ADDRESS_CHANGES) throw shippingError('ADDRESS_OFTEN')
  await tx.db.order.update({ where: { id: order.id }, data: { ...addressOf(after), addressVersion: version } })
  const json = (address: AddressColumns): Prisma.InputJsonObject => ({ ...address })
  const change = { orderId: order.id, version, before: json(before), after: json(addressOf(after)), isUndo }
  await tx.db.addressChange.create({ data: change })
  const mailed = { ...order, version, before, after, isUndo }
  await queueMail(tx, [
    ...(order.buyerEmail ? [addressChangedNotice(mailed, order.buyerEmail, tx.appUrl)] : []),
    addressChangedSellerNotice(mailed, order.seller, tx.appUrl),
  ])
  return true
}
