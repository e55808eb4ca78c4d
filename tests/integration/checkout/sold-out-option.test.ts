import { makeDrop, visitor } from '@/tests/support/factories'
import { startBuying } from '@/tests/support/shop'
import { closeDatabase } from '@/lib/infra/db'
import { newSecret } from '@/lib/kernel/id'

afterAll(closeDatabase)

it('a sold-out drop names the chosen value, and refuses an unknown one as before', async () => {
  const values = { create: [{ value: 'S', quantity: 1, sold: 1, position: 0 }] }
  const { id: dropId } = await makeDrop({ quantity: 1, sold: 1, optionName: 'Size', values })
  const choose = (selectedVariants: Record<string, string> | undefined) =>
    startBuying(visitor(), { dropId, quantity: 1, buyerToken: newSecret(), selectedVariants })
  const soldOut = { code: 'OPTION_SOLD_OUT', status: 409, message: 'S is sold out.' }
  await expect(choose({ Size: 's' })).rejects.toMatchObject(soldOut)
  await expect(choose({ Size: 'XL' })).rejects.toMatchObject({ code: 'OPTION_UNKNOWN', status: 400 })
  const none: (Record<string, string> | undefined)[] = [undefined, {}, { Size: '' }]
  for (const missing of none) {
    await expect(choose(missing)).rejects.toMatchObject({ code: 'SOLD_OUT', status: 409 })
  }
})
