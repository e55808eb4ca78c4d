import { db } from '@/lib/infra/db'
import { actorOf, contextFor, makeDrop, makeSeller } from './factories'

type Code = Parameters<ReturnType<typeof db>['discountCode']['create']>[0]['data']

/** Makes a live drop of a new seller with one discount code. By default the code is FRIENDS and takes off 20%. */
export async function makeCodedDrop(code: Partial<Code> = {}, drop: Parameters<typeof makeDrop>[0] = {}) {
  const seller = await makeSeller({ plan: 'pro' })
  const row = await makeDrop({ quantity: 40, userId: seller.id, ...drop })
  const discount = code.offCents ? {} : { percent: 20 }
  const made = await db().discountCode.create({
    data: { dropId: row.id, code: 'FRIENDS', ...discount, ...code } as Code,
  })
  return { drop: row, code: made, seller: contextFor(actorOf(seller)) }
}
