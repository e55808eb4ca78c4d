import { outsideAddress } from './in-app-browser'

/** The result of an attempt to leave an app: either the app opened another browser, or nothing happened. */
export type LeaveOutcome = 'opened' | 'stayed'

/** If the page is still visible after this time, the app did not open another browser. */
const LEAVE_WITHIN_MS = 800

/**
 * Opens a URL in the phone's own browser. A page cannot find out whether an app supports a scheme, so the attempt
 * counts as successful when the page goes to the background within 0.8 seconds.
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
