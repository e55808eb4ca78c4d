'use client'

import { Bookmark, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { Button } from '@/components/ui/button'
import { toast } from '@/lib/client/toast-store'
import { nameOfFilter, savedFilters } from './saved-filters'

type FilterChipsProps = {
  /** The name of the list. The names of its saved filters begin with it. */
  list: string
}

/** Shows the saved filters of a list, and a button that saves the filter in the page's URL. */
export function FilterChips({ list }: FilterChipsProps) {
  const saved = useSyncExternalStore(savedFilters.subscribe, savedFilters.read, savedFilters.readOnServer)

  function save() {
    const { pathname, search } = window.location
    const label = nameOfFilter(list, search)
    if (!label) return toast({ title: 'Nothing to save', description: 'Choose a filter or search first.' })
    savedFilters.add({ label, href: pathname + search })
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      {saved
        .filter(({ label }) => label.startsWith(`${list}: `))
        .map(({ label, href }) => (
          <span key={href} className="inline-flex max-w-full items-center rounded-full border bg-surface text-sm">
            <a
              href={href}
              className="min-h-11 min-w-11 truncate py-3 ps-4 font-semibold first-letter:uppercase hover:underline"
            >
              {label.slice(list.length + 2)}
            </a>
            <button
              type="button"
              aria-label={`Remove the saved filter ${label}`}
              onClick={() => savedFilters.remove(href)}
              className="grid size-11 shrink-0 place-items-center text-muted hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </button>
          </span>
        ))}
      <Button variant="ghost" size="sm" onClick={save}>
        <Bookmark aria-hidden />
        Save this filter
      </Button>
    </div>
  )
}
