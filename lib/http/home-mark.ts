/** Set by middleware.ts on the way to the dashboard, which shows itself to nobody else. */
export const HOME_MARK = 'x-lastcall-home'
