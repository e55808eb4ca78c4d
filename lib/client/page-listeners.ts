/**
 * Creates a list of the components that show a value that this page can change, for example a cookie. They read the
 * value again after notify(). They also read it again when the visitor returns to this page with the browser's Back
 * button, because the browser then shows the page as it was left.
 * @returns `subscribe` for React's useSyncExternalStore, and `notify`
 */
export function pageListeners(): { subscribe: (listener: () => void) => () => void; notify: () => void } {
  const listeners = new Set<() => void>()
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      window.addEventListener('pageshow', listener)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('pageshow', listener)
      }
    },
    notify: () => {
      for (const listener of listeners) listener()
    },
  }
}
