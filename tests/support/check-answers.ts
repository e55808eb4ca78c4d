// Runs before every integration test file, after database.ts: every answer that the application gives to fetch() is compared
// with the document of the API, and a test file that got an answer which does not match fails.
import { problemOfAnswer } from './api-answers'

const shared = globalThis as typeof globalThis & { lastcallTestApps?: Set<string> }
const problems: string[] = []
const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init)
  const url = input instanceof Request ? input.url : String(input)
  if (shared.lastcallTestApps?.has(new URL(url).origin)) {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    const problem = await problemOfAnswer(method.toUpperCase(), url, isStream ? answer : answer.clone())
    if (problem) problems.push(problem)
  }
  return answer
}

afterAll(() => {
  expect(problems).toEqual([])
})
