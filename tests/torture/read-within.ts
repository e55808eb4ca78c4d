/** A response that was read completely. */
type ReadAnswer = { status: number; headers: Headers; body: string }

/**
 * Makes a request, reads the whole response, and throws when this takes longer than `limitMs`. The timer keeps the
 * controller alive. A signal of AbortSignal.timeout() may be removed from memory before its time, and the request then
 * waits forever for the rest of a body.
 */
export async function readWithin(limitMs: number, url: string, init: RequestInit): Promise<ReadAnswer> {
  const controller = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      controller.abort()
      reject(new Error(`no complete response within ${limitMs} ms`))
    }, limitMs)
  })
  const read = async (): Promise<ReadAnswer> => {
    const answer = await fetch(url, { ...init, signal: controller.signal })
    return { status: answer.status, headers: answer.headers, body: await answer.text() }
  }
  const reading = read()
  // After the timeout nothing awaits this promise. Without this line, its rejection would count as unhandled.
  reading.catch(() => {})
  return Promise.race([reading, tooLong]).finally(() => clearTimeout(timer))
}
