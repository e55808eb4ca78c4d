import 'server-only'
import { listLiveDrops } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'
import { database } from '@/lib/infra/db'

const LIVE_NOW = 9

/** What the landing page shows as live (DECISIONS 25). */
export async function landingDrops(): Promise<DropView[]> {
  return (await listLiveDrops(database(), LIVE_NOW)).map(toDropView)
}
