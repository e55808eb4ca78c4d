/** Returns the time zone that the browser uses, such as "Europe/Berlin"; empty if the browser does not state one. */
export function browserTimeZone(): string {
  // Some in-app browsers return undefined, although the type says otherwise.
  return (Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined) ?? ''
}
