/** A broken rule, with the name of the check that found it and the data that proves it. */
export type Violation = { check: string; evidence: Record<string, unknown> }
