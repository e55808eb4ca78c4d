import { route } from '@/lib/http/route'

// Our HTTP server holds the stream (ADR 0021). A request reaches this route only when the stream is closed: the
// platform is paused, which route() reports to everyone but administrators, or the server does not receive changes
// right now. The status 204 makes the browser poll instead.
export const GET = route({ who: 'anyone', run: async () => new Response(null, { status: 204 }) })
