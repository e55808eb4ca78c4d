/** How long a toast stays if nothing else is given. */
export const DEFAULT_TOAST_MS = 3_000

/**
 * What a toast shows. It closes by itself after `durationMs`, or after DEFAULT_TOAST_MS, and as plain text a little
 * later (components/layout/toasts.tsx).
 */
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

/** Shows a toast. It replaces an earlier toast, because only one is shown at a time (docs/product.md#toasts). */
export function toast(input: ToastInput): void {
  lastId += 1
  set({ ...input, id: lastId, isOpen: true })
}

/**
 * Closes a toast, which stays in the store while it fades out. Does nothing when the toast was already replaced or
 * closed.
 */
export function dismissToast(id: number): void {
  if (current?.id !== id || !current.isOpen) return
  set({ ...current, isOpen: false })
  setTimeout(() => {
    if (current?.id === id) set(null)
  }, REMOVE_AFTER_MS)
}

/** Returns the current toast, open or just closed, or null when there is none. */
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
