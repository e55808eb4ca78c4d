/** Runs work when the browser is idle, so that it does not slow down the first load. */
export function whenIdle(work: () => void): void {
  const schedule =
    'requestIdleCallback' in window ? window.requestIdleCallback : (later: () => void) => setTimeout(later, 1)
  if (document.readyState === 'complete') schedule(work)
  else window.addEventListener('load', () => schedule(work), { once: true })
}
