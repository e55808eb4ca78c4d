import { createWriteStream } from 'node:fs'

/** The answer of one call. A time-out or a broken connection says nothing about what the call has done. */
export type Outcome = { status: number; body: string } | { unknown: string }

/** One call: who made it, to which process, when it began and ended (milliseconds of the machine's clock), and its answer. */
export type CallEntry = {
  kind: 'call'
  actor: string
  verb: string
  app: number
  /** What the call is about: a drop's number, an order, a session. */
  about: Record<string, string | number | boolean>
  at: number
  until: number
  outcome: Outcome
}

/** A fault from its beginning until it was over. */
export type FaultEntry = { kind: 'fault'; fault: string; app: number; at: number; until: number }

/** One delivery of an event of Stripe to one process. */
export type DeliveryEntry = {
  kind: 'delivery'
  eventId: string
  type: string
  app: number
  at: number
  until: number
  outcome: Outcome
}

/** One mail that the mail server took. */
export type MailEntry = { kind: 'mail'; messageId: string; to: string; subject: string; orderToken: string; at: number }

export type Entry = CallEntry | FaultEntry | DeliveryEntry | MailEntry

export type Recorder = ReturnType<typeof createRecorder>

/** Keeps in memory everything that happens, and writes it to a file of JSON lines, one line per entry. */
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
