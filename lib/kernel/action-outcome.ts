/** The result of a server action: its value, or a refusal with a text to show, a code, and the field it is about. */
export type ActionOutcome<Value = unknown> =
  { ok: true; value: Value } | { ok: false; error: string; code: string; field?: string }

/** A server action as a component receives it. Omit `Value` where the component needs only `ok`. */
export type ServerAction<Input, Value = unknown> = (input: Input) => Promise<ActionOutcome<Value>>
