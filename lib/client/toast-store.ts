/**
 * One toast at a time: a new one replaces the old one, and a dismissed one is removed after 3000 ms
 * (docs/product.md#toasts).
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

export function toast(input: ToastInput): void {
  lastId += 1
  set({ ...input, id: lastId, isOpen: true })
}

export function dismissToast(id: number): void {
  if (current?.id !== id || !current.isOpen) return
  set({ ...current, isOpen: false })
  setTimeout(() => {
    if (current?.id === id) set(null)
  }, REMOVE_AFTER_MS)
}

export function readToast(): ActiveToast | null {
  return current
}

export function subscribeToToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
