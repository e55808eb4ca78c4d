import { deleteOwnAccount } from '@/lib/closure/delete-own-account'
import { closeDatabase, db } from '@/lib/infra/db'
import { hashPassword } from '@/lib/infra/password'
import { makeDrop } from '@/tests/support/factories'
import { examineMoneyAfterEach } from '@/tests/support/examine-money-after-each'
import { readySeller, sale, sweepAgain, transferOf } from '../payouts/payout-support'

examineMoneyAfterEach()
afterAll(closeDatabase)

test.each(['notStarted', 'disconnected'] as const)(
  'a seller whose payouts are %s reads that money is waiting before the account is deleted, because nobody can connect payouts afterwards',
  async (payoutsState) => {
    const { seller, sellerCtx } = await readySeller()
    const passwordHash = await hashPassword('long enough')
    await db().user.update({
      where: { id: seller.id },
      data: { passwordHash, stripeAccountId: null, payoutsState },
    })
    await makeDrop({ userId: seller.id, productType: 'digital', priceCents: 30_000, quantity: 10 })
    const order = await sale(seller)
    await sweepAgain()
    expect((await transferOf(order.id)).state).toBe('waiting')
    const leave = () => deleteOwnAccount(sellerCtx, { username: seller.username ?? '', password: 'long enough' })
    await expect(leave()).rejects.toMatchObject({ status: 409 })
  },
)
