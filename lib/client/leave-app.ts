import { outsideAddress } from './in-app-browser'

/** How an attempt to leave an app ended: the app's browser handed the page over, or nothing happened. */
export type LeaveOutcome = 'opened' | 'stayed'

/** If the page is still in front after this time, the app did not hand it over. */
const LEAVE_WITHIN_MS = 800

/**
 * Opens an address in the phone's own browser. Nothing tells a page whether an app knows a scheme, so the attempt counts
 * as successful when the page goes to the background within 0.8 s.
 */
export function leaveApp(wayOut: string, url: string): Promise<LeaveOutcome> {
  return new Promise((resolve) => {
    const end = (outcome: LeaveOutcome) => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onChange)
      window.removeEventListener('pagehide', onLeave)
      resolve(outcome)
    }
    const onLeave = () => end('opened')
    const onChange = () => {
      if (document.visibilityState === 'hidden') end('opened')
    }
    const timer = setTimeout(() => end('stayed'), LEAVE_WITHIN_MS)
    document.addEventListener('visibilitychange', onChange)
    window.addEventListener('pagehide', onLeave)
    window.location.assign(outsideAddress(wayOut, url))
  })
}
