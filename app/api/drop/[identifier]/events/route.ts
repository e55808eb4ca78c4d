import { route } from '@/lib/http/route'

// The stream itself is held by our server (ADR 0021). What comes here found it closed: the platform is paused, which route()
// says to all but administrators, or changes are not heard of right now. Nothing to stream, says 204, and the browser polls.
export const GET = route({ who: 'anyone', run: async () => new Response(null, { status: 204 }) })
