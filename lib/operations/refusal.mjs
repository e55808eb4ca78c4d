/** A failure whose message is meant for the person at the terminal: commands print it without a stack. */
export class Refusal extends Error {}
