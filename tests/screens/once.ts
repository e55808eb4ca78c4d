/**
 * Returns a function that calls `make` only the first time, because a screen is opened once for each kind of window.
 */
export function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  return () => (result ??= make())
}
