/**
 * The request header that middleware.ts sets when it rewrites "/" to the dashboard. Without this header the dashboard
 * responds with "not found".
 */
export const HOME_MARK = 'x-lastcall-home'
