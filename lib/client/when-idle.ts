/**
 * Runs work once the page has loaded and the browser is idle, so that the work does not slow down the first load. A
 * browser without requestIdleCallback runs it right after the load.
 */
export function whenIdle(work: () => void): void {
  const schedule =
    'requestIdleCallback' in window ? window.requestIdleCallback : (later: () => void) => setTimeout(later, 1)
  if (document.readyState === 'complete') schedule(work)
  else window.addEventListener('load', () => schedule(work), { once: true })
}
