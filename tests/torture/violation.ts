/** Something that must never happen: which check found it, and what it saw. */
export type Violation = { check: string; evidence: Record<string, unknown> }
