/** What a server action answers: its value, or a refusal with a text to show, a code, and the field it is about. */
export type ActionOutcome<Value = unknown> =
  { ok: true; value: Value } | { ok: false; error: string; code: string; field?: string }

/** A server action as a component gets it. Leave `Value` out where the component only asks whether it worked. */
export type ServerAction<Input, Value = unknown> = (input: Input) => Promise<ActionOutcome<Value>>
