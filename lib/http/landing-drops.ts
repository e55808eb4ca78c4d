import 'server-only'
import { listLiveDrops } from '@/lib/drops/queries'
import { type DropView, toDropView } from '@/lib/drops/view'

const LIVE_NOW = 9

/** What the landing page shows as live (DECISIONS 25). */
export async function landingDrops(): Promise<DropView[]> {
  return (await listLiveDrops(LIVE_NOW)).map(toDropView)
}
