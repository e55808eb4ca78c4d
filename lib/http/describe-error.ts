import 'server-only'

/**
 * Patterns of text that may name a person or give access: an email address, a long word, which may be the secret of a
 * link or a session id, and a value in quotes.
 */
const PRIVATE = [/[^\s"'<>@]+@[^\s"'<>@]+/g, /\b[\w-]{20,}\b/g, /"[^"]*"|'[^']*'/g]

/** Longer messages are cut to this number of characters. */
const MAX_MESSAGE = 200

/**
 * Describes a thrown value for the log: its type, the first line of its message without private parts, and its stack
 * frames. Further lines of a message are left out, because they may contain rows of the database.
 */
export function describeError(error: unknown): { name: string; message: string; frames?: string[] } {
  if (!(error instanceof Error)) return { name: typeof error, message: shorten(String(error)) }
  const frames = error.stack?.split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, message: shorten(error.message), frames }
}

function shorten(message: string): string {
  return withoutPrivate(message).split('\n', 1).join('').slice(0, MAX_MESSAGE)
}

// This must run on the whole message, because a value in quotes may continue in the next line or beyond the limit,
// where its closing quote would be cut off. The line break of such a value is kept, so that the text after the value
// does not move into the first line.
function withoutPrivate(text: string): string {
  const hide = (found: string) => (found.includes('\n') ? '[…]\n' : '[…]')
  return PRIVATE.reduce((left, pattern) => left.replace(pattern, hide), text)
}
