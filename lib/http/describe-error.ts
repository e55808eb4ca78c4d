import 'server-only'

/** What may name a person or give access: an e-mail address, the secret of a link, a session id, a value in quotes. */
const PRIVATE = [/[^\s"'<>@]+@[^\s"'<>@]+/g, /\b[\w-]{20,}\b/g, /"[^"]*"|'[^']*'/g]

/**
 * Describes an error for the log: its name, the first line of its message without what may be private, and where it
 * happened. Further lines of a message may hold rows of the database, so they are left out.
 */
export function describeError(error: unknown): { name: string; message: string; frames?: string[] } {
  if (!(error instanceof Error)) return { name: typeof error, message: withoutPrivate(String(error).slice(0, 200)) }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, message: withoutPrivate(error.message.split('\n')[0] ?? ''), frames }
}

function withoutPrivate(text: string): string {
  return PRIVATE.reduce((left, pattern) => left.replace(pattern, '[…]'), text)
}
