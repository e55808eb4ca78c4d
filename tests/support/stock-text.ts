import { findPublicDrop } from '@/lib/drops/queries'
import { database } from '@/lib/infra/db'

/** Returns the sold, held and total units of each value and of the drop, such as "S 1/0 of 2, 1/0 of 2". */
export async function stockText(dropId: number): Promise<string> {
  const row = (await findPublicDrop(database(), String(dropId)))!
  const text = (at: { sold: number; held: number; quantity: number }) => `${at.sold}/${at.held} of ${at.quantity}`
  return [...(row.option?.values ?? []).map((value) => `${value.value} ${text(value)}`), text(row)].join(', ')
}
