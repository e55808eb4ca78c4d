import { ApiError } from './call-api'

const TRIES = 4

/**
 * Makes a call. If the server demands a proof of work first, solves it and repeats the call, with at most four attempts
 * in all.
 * @throws what the last call throws, or the error of solveProofOfWork().
 */
export async function withProofOfWork<Result>(call: (work?: string) => Promise<Result>): Promise<Result> {
  let work: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(work)
    } catch (error) {
      if (attempt === TRIES || !(error instanceof ApiError) || !error.work) throw error
      // This code is loaded only when it is needed, which is rare.
      const { solveProofOfWork } = await import('./solve-proof-of-work')
      work = await solveProofOfWork(error.work)
    }
  }
}
