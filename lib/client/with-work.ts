import { ApiError } from './call-api'

const TRIES = 4

/** Makes a call, and makes it again with the answer when the server asks for work first. */
export async function withWork<Result>(call: (work?: string) => Promise<Result>): Promise<Result> {
  let work: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call(work)
    } catch (error) {
      if (attempt === TRIES || !(error instanceof ApiError) || !error.work) throw error
      // Fetched only when it is needed, which is seldom.
      const { solveWork } = await import('./solve-work')
      work = await solveWork(error.work)
    }
  }
}
