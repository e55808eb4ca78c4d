import { UNKNOWN_PAGE } from '@/lib/server/find-common-page.mjs'

/** Returns the status with which the stand-in for Next answers a path, which says what its page stands for. */
export function statusOfPath(url: string, isPaused: boolean): number {
  if (isPaused) return 503
  if (url === UNKNOWN_PAGE || url.includes('missing')) return 404
  if (url === '/drop/moved') return 308
  return url.includes('removed') ? 410 : 200
}
