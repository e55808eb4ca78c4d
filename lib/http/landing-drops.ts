import 'server-only'
import { listLiveDrops } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'
import { database } from '@/lib/infra/db'

const LIVE_NOW = 9

/** Returns the drops that the landing page shows as live (docs/product.md#live-now). */
export async function landingDrops(): Promise<DropView[]> {
  return (await listLiveDrops(database(), LIVE_NOW)).map(toDropView)
}
