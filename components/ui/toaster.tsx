'use client'

import { X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { DEFAULT_TOAST_MS, dismissToast, readToast, subscribeToToast } from '@/lib/client/toast-store'
import { cn } from './class-names'

const nothing = () => null

/** Shows the current toast at the top of the screen, where it does not cover a bar at the bottom. */
export function Toaster() {
  const current = useSyncExternalStore(subscribeToToast, readToast, nothing)
  return (
    <Toast.Provider swipeDirection="up" duration={current?.durationMs ?? DEFAULT_TOAST_MS}>
      {current ? (
        <Toast.Root
          key={current.id}
          open={current.isOpen}
          onOpenChange={(isOpen) => (isOpen ? undefined : dismissToast(current.id))}
          className={cn(
            // An open dialog takes the pointer events of the rest of the page.
            'pointer-events-auto flex items-start gap-3 rounded-card border bg-surface p-4 shadow-card',
            'data-[state=closed]:animate-out data-[state=closed]:fade-out data-[state=open]:animate-in data-[state=open]:slide-in-from-top-4 data-[state=closed]:duration-150 data-[state=open]:duration-200',
            current.tone === 'bad' && 'border-bad',
          )}
        >
          <div className="grid flex-1 gap-0.5">
            <Toast.Title className={cn('font-semibold', current.tone === 'bad' && 'text-bad')}>
              {current.title}
            </Toast.Title>
            {current.description ? (
              <Toast.Description className="text-sm text-muted">{current.description}</Toast.Description>
            ) : null}
          </div>
          <Toast.Close
            aria-label="Dismiss"
            className="-m-2 grid size-11 place-items-center rounded-control text-muted hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </Toast.Close>
        </Toast.Root>
      ) : null}
      {/* An open dialog hides the rest of the page from screen readers, except for elements with `aria-live`. */}
      <Toast.Viewport
        aria-live="off"
        className="fixed inset-x-4 top-[max(1rem,env(safe-area-inset-top))] z-50 mx-auto flex max-w-md flex-col outline-none in-[body:has([data-offline])]:mt-16"
      />
    </Toast.Provider>
  )
}
