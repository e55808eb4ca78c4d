/**
 * Calls `ask` until it returns something other than undefined, null, false, 0 or '', for results that jobs of the
 * server produce later. Throws after a minute.
 */
export async function until<Answer>(what: string, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const answer = await ask()
    if (answer) return answer
    if (Date.now() > deadline) throw new Error(`there was no ${what} within a minute`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}
