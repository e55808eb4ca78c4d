import 'server-only'

/** What may name a person or give access: an email address, the secret of a link, a session id, a value in quotes. */
const PRIVATE = [/[^\s"'<>@]+@[^\s"'<>@]+/g, /\b[\w-]{20,}\b/g, /"[^"]*"|'[^']*'/g]

/** The longest message in the log, in characters. */
const MAX_MESSAGE = 200

/**
 * Describes a thrown value for the log: its type, the first line of its message without what may be private, and where it
 * happened. Further lines of a message may hold rows of the database, so they are left out.
 */
export function describeError(error: unknown): { name: string; message: string; frames?: string[] } {
  if (!(error instanceof Error)) return { name: typeof error, message: shorten(String(error)) }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, message: shorten(error.message), frames }
}

function shorten(message: string): string {
  return withoutPrivate(message).split('\n', 1).join('').slice(0, MAX_MESSAGE)
}

// Works on the whole message: a value in quotes may go on in the next line or past the limit, where its closing quote
// would be cut off. The line break of such a value is kept, so that the text after it does not move into the first line.
function withoutPrivate(text: string): string {
  const hide = (found: string) => (found.includes('\n') ? '[…]\n' : '[…]')
  return PRIVATE.reduce((left, pattern) => left.replace(pattern, hide), text)
}
