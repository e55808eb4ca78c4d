/** Without this file Next would take the application's own, two folders above. */
export function register() {}
