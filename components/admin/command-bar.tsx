'use client'

import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { buttonVariants } from '@/components/ui/button'
import { cn } from '@/components/ui/class-names'
import { Dialog, DialogContent, DialogTitle } from '@/components/ui/dialog'
import { Input } from '@/components/ui/input'
import { type SearchGroup, searchGroups } from './search-groups'
import { usePanelSearch } from './use-panel-search'

/**
 * Shows the search button of the panel. The button, Ctrl+K and ⌘K open a dialog that searches the whole panel. Without
 * JavaScript the button is a link to the search page (docs/product.md#admin-search).
 */
export function CommandBar() {
  const [isOpen, setIsOpen] = useState(false)
  const openByKeys = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    event.preventDefault()
    setIsOpen(true)
  })
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => openByKeys(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  return (
    <>
      <a
        href="/admin/search"
        aria-keyshortcuts="Control+K Meta+K"
        className={cn(buttonVariants({ variant: 'outline', size: 'sm' }))}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        <Search aria-hidden />
        Search
        <kbd aria-hidden className="hidden font-sans text-xs font-normal text-muted lg:inline">
          Ctrl K
        </kbd>
      </a>
      {isOpen ? <CommandDialog onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function CommandDialog({ onClose }: { onClose: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const opener = useRef<Element | null>(null)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const { view, problem, isSearching } = usePanelSearch(typed)
  const groups = searchGroups(typed, view)
  const hits = groups.flatMap((group) => group.hits)
  const active = Math.min(chosen, hits.length - 1)

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    // Until the response arrives, only pages and actions are listed. If none of them matches, Enter opens the search
    // page.
    if (event.key === 'Enter' && isSearching && hits.length === 0) {
      event.preventDefault()
      return window.location.assign(searchPage(typed))
    }
    if (hits.length === 0) return
    const next = { ArrowDown: (active + 1) % hits.length, ArrowUp: (active - 1 + hits.length) % hits.length }[event.key]
    if (next !== undefined) {
      event.preventDefault()
      setChosen(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      window.location.assign(hits[active]!.href)
    }
  }

  return (
    <Dialog open onOpenChange={(open) => (open ? undefined : onClose())}>
      <DialogContent
        aria-describedby={undefined}
        className="gap-3 max-md:h-[90dvh] md:top-24 md:max-w-xl md:translate-y-0"
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          opener.current = document.activeElement
          input.current?.focus()
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          if (opener.current instanceof HTMLElement) opener.current.focus()
        }}
      >
        <DialogTitle className="pe-12">Search</DialogTitle>
        <Input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Search the panel"
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={hits.length > 0 ? `${id}-${active}` : undefined}
          placeholder="Name, email, title, link, order or Stripe ID"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
        <p role="status" className="text-sm text-muted empty:hidden">
          {problem ?? (isSearching ? 'Searching…' : foundText(hits.length))}
        </p>
        <HitList id={id} groups={groups} active={active} />
      </DialogContent>
    </Dialog>
  )
}

const searchPage = (typed: string) => `/admin/search?${new URLSearchParams({ q: typed.trim() })}`

/** Says how many hits there are. A screen reader reads it out. */
function foundText(count: number): string {
  if (count === 0) return 'Nothing found.'
  return count === 1 ? '1 result' : `${count} results`
}

type HitListProps = { id: string; groups: SearchGroup[]; active: number }

/** Shows the options of the combobox. The focus stays in the input, so the Tab key skips the options. */
function HitList({ id, groups, active }: HitListProps) {
  const hitsInOrder = groups.flatMap((group) => group.hits)
  return (
    <div id={`${id}-list`} role="listbox" aria-label="Results" className="grid gap-3 overflow-y-auto">
      {groups.map(({ heading, hits }) => (
        <div key={heading} role="group" aria-label={heading}>
          <p aria-hidden className="px-3 pb-1 text-xs font-semibold text-muted">
            {heading}
          </p>
          {hits.map((hit) => {
            const { label, detail, href } = hit
            const position = hitsInOrder.indexOf(hit)
            return (
              <a
                key={`${label}-${href}-${detail}`}
                id={`${id}-${position}`}
                role="option"
                aria-selected={position === active}
                tabIndex={-1}
                href={href}
                className={cn(
                  'grid min-h-11 content-center rounded-control px-3 py-1.5 hover:bg-sunken',
                  position === active && 'bg-sunken ring-2 ring-ember ring-inset',
                )}
              >
                <span className="truncate font-semibold">{label}</span>
                <span className="truncate text-sm text-muted">{detail}</span>
              </a>
            )
          })}
        </div>
      ))}
    </div>
  )
}
