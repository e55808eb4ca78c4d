import { createWriteStream } from 'node:fs'

/**
 * The response to one call, or `unknown` after a time-out or a broken connection. Such a call may have done its work.
 */
export type Outcome = { status: number; body: string } | { unknown: string }

/**
 * One call and its response. `at` and `until` are the times of its beginning and its end in milliseconds since 1970.
 */
export type CallEntry = {
  kind: 'call'
  actor: string
  verb: string
  app: number
  /** The objects that the call is about, such as a drop, an order or a session. */
  about: Record<string, string | number | boolean>
  at: number
  until: number
  outcome: Outcome
}

/** One fault, with the times of its beginning and its end. */
export type FaultEntry = { kind: 'fault'; fault: string; app: number; at: number; until: number }

/** One delivery of a Stripe event to one process. */
export type DeliveryEntry = {
  kind: 'delivery'
  eventId: string
  type: string
  app: number
  at: number
  until: number
  outcome: Outcome
}

/** One email that the mail server accepted. */
export type MailEntry = { kind: 'mail'; messageId: string; to: string; subject: string; orderToken: string; at: number }

export type Entry = CallEntry | FaultEntry | DeliveryEntry | MailEntry

export type Recorder = ReturnType<typeof createRecorder>

/** Creates the history of a run. It is kept in memory and also written to `file`, with one line of JSON per entry. */
export function createRecorder(file: string) {
  const entries: Entry[] = []
  const stream = createWriteStream(file)
  return {
    file,
    entries,
    add: (entry: Entry) => {
      entries.push(entry)
      stream.write(`${JSON.stringify(entry)}\n`)
    },
    close: () => new Promise<void>((resolve) => stream.end(resolve)),
  }
}
