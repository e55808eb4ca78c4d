/** Without this file Next would take the application's own from a folder above. */
export function register() {}
