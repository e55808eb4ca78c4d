'use client'

import { useQuery } from '@tanstack/react-query'
import { cn } from '@/components/ui/class-names'
import { callApi } from '@/lib/client/call-api'
import type { SellerDropView } from '@/lib/drops/view'
import { MINUTE_MS } from '@/lib/kernel/time'
import { CelebrationCard } from './celebration-card'
import { sellerDropsKey } from './seller-drops-key'
import { useDropPushes } from './use-drop-pushes'

const none: SellerDropView[] = []

/**
 * Celebrates a first sale and a sell-out on the seller's other pages, for example while parcels are packed. The drops
 * are loaded after the page, and again when the server announces a change.
 * @param props.className the width of the page's content
 */
export function SellerCelebrations({ className }: { className: string }) {
  const { data: drops = none } = useQuery({
    queryKey: sellerDropsKey,
    queryFn: () => callApi<SellerDropView[]>('GET', '/api/drops/user'),
    staleTime: MINUTE_MS,
  })
  useDropPushes(drops)
  return <CelebrationCard drops={drops} className={cn('mx-auto w-full px-5 not-empty:mb-4', className)} />
}
