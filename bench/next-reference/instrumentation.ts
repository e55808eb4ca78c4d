/** Without this file, Next would use the application's instrumentation file from a folder above. */
export function register() {}
