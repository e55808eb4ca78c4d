// Runs before every integration and contract test file, after database.ts. It compares every response that fetch()
// gets from an application that a test has started with the API document. A test file fails if one of its responses
// does not match.
import { problemOfAnswer } from './api-answers'
import { isNoted } from './note-app.mjs'

const problems: string[] = []
const plainFetch = globalThis.fetch

globalThis.fetch = async (input, init) => {
  const answer = await plainFetch(input, init)
  const url = input instanceof Request ? input.url : String(input)
  if (isNoted(new URL(url).origin)) {
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
