import { storageKeys } from '@/lib/client/storage-keys'

/** A filter of a list that an administrator has saved in this browser. `href` opens the filtered list. */
export type SavedFilter = { label: string; href: string }

const MAX_SAVED = 20
const none: SavedFilter[] = []
const listeners = new Set<() => void>()
let known: { text: string | null; filters: SavedFilter[] } = { text: null, filters: none }

/** Returns the saved filters, as the same array until they change, because React compares the arrays by identity. */
function read(): SavedFilter[] {
  try {
    const text = localStorage.getItem(storageKeys.adminFilters)
    if (text !== known.text) known = { text, filters: parse(text) }
    return known.filters
  } catch {
    return none
  }
}

function parse(text: string | null): SavedFilter[] {
  try {
    const saved: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(saved) ? saved.filter(isSavedFilter).slice(0, MAX_SAVED) : none
  } catch {
    return none
  }
}

function isSavedFilter(value: unknown): value is SavedFilter {
  const { label, href } = (value ?? {}) as Partial<SavedFilter>
  return typeof label === 'string' && typeof href === 'string' && /^\/admin[/?]/.test(href)
}

function write(filters: SavedFilter[]): void {
  try {
    localStorage.setItem(storageKeys.adminFilters, JSON.stringify(filters.slice(0, MAX_SAVED)))
  } catch {
    // The storage is full or forbidden. The URL of the list can still be bookmarked.
  }
  for (const listener of listeners) listener()
}

/** The filters that this browser keeps, the newest first. */
export const savedFilters = {
  read,
  readOnServer: () => none,
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  add: (filter: SavedFilter) => write([filter, ...read().filter(({ href }) => href !== filter.href)]),
  remove: (href: string) => write(read().filter((filter) => filter.href !== href)),
}

/** Returns a name for a filtered list, such as "Users: suspended, “mia”", or null when its URL has no filter. */
export function nameOfFilter(list: string, search: string): string | null {
  const words = [...new URLSearchParams(search)]
    .filter(([name, value]) => value !== '' && value !== 'all' && !['tab', 'before'].includes(name))
    .map(([name, value]) => (name === 'show' || name === 'type' || name === 'action' ? value : `“${value}”`))
  return words.length === 0 ? null : `${list}: ${words.join(', ')}`
}
