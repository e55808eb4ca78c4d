import 'server-only'
import { ownPath } from './own-path'

/** Returns the address of a sign-in page, with the path to which the person returns unless that is the home page. */
export function pathWithReturn(page: '/login' | '/signup' | '/two-factor', back: string): string {
  return back === '/' ? page : `${page}?redirect=${encodeURIComponent(back)}`
}

/** Returns the path to which the sender of a sign-in form returns. It is always a path of our own. */
export function returnPathOf(request: Request): string {
  return ownPath(new URL(request.url).searchParams.get('redirect') ?? undefined)
}
