/**
 * The request header that middleware.ts sets when it rewrites "/" to the dashboard; without it the dashboard is not
 * found.
 */
export const HOME_MARK = 'x-lastcall-home'
