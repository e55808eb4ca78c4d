/** What a toast shows. It closes by itself after `durationMs`, or after 3000 ms. */
export type ToastInput = { title: string; description?: string; tone?: 'plain' | 'bad'; durationMs?: number }
export type ActiveToast = ToastInput & { id: number; isOpen: boolean }

/** How long a dismissed toast stays before it is removed (docs/product.md#toasts). */
const REMOVE_AFTER_MS = 3_000

let current: ActiveToast | null = null
let lastId = 0
const listeners = new Set<() => void>()

function set(next: ActiveToast | null): void {
  current = next
  for (const listener of listeners) listener()
}

/** Shows a toast. There is one at a time, so it replaces an earlier one (docs/product.md#toasts). */
export function toast(input: ToastInput): void {
  lastId += 1
  set({ ...input, id: lastId, isOpen: true })
}

/** Closes a toast. It stays in the store while it fades out. A toast that was replaced or closed before is ignored. */
export function dismissToast(id: number): void {
  if (current?.id !== id || !current.isOpen) return
  set({ ...current, isOpen: false })
  setTimeout(() => {
    if (current?.id === id) set(null)
  }, REMOVE_AFTER_MS)
}

/** The current toast, open or just closed; null when there is none. */
export function readToast(): ActiveToast | null {
  return current
}

/**
 * Calls the listener after each change of the current toast.
 * @returns a function that ends the subscription.
 */
export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
