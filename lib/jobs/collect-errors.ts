import 'server-only'

type Collected = {
  /** Runs a step. Returns undefined when it fails, so that the next steps run all the same. */
  attempt: <Result>(step: () => Promise<Result>) => Promise<Result | undefined>
  /** The errors of the steps that failed, in their order. */
  errors: readonly unknown[]
  /** @throws the first error, if a step failed */
  throwFirst: () => void
}

/**
 * Collects the errors of the steps of a job, so that each step runs even if an earlier one fails.
 * @param onError is called with each error as it happens
 */
export function collectErrors(onError: (error: unknown) => void = () => {}): Collected {
  const errors: unknown[] = []
  return {
    attempt: async (step) => {
      try {
        return await step()
      } catch (error) {
        errors.push(error)
        onError(error)
        return undefined
      }
    },
    errors,
    throwFirst: () => {
      if (errors.length > 0) throw errors[0]
    },
  }
}
