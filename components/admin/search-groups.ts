import type { SearchHitView, SearchView } from '@/lib/admin/view'
import { findPanelPages } from './find-panel-pages'

/** Hits under one heading. */
export type SearchGroup = { heading: string; hits: SearchHitView[] }

/** Returns what was found, in the order in which it is shown, without empty groups. */
export function searchGroups(typed: string, found: SearchView | null): SearchGroup[] {
  const groups = [
    { heading: 'Pages and actions', hits: findPanelPages(typed) },
    { heading: 'Users', hits: found?.users ?? [] },
    { heading: 'Drops', hits: found?.drops ?? [] },
    { heading: 'Orders', hits: found?.orders ?? [] },
    { heading: 'Payouts', hits: found?.payouts ?? [] },
    { heading: 'Disputes', hits: found?.disputes ?? [] },
  ]
  return groups.filter(({ hits }) => hits.length > 0)
}
