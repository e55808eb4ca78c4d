/** An error whose message is for the person at the terminal. Commands print it without a stack trace. */
export class Refusal extends Error {}
