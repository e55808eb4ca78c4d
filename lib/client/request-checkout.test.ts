import { requestCheckout } from './request-checkout'

const wait = { ahead: 1, seconds: 0 }
const sent: unknown[] = []

function answerWith(...answers: object[]) {
  sent.length = 0
  jest.spyOn(globalThis, 'fetch').mockImplementation((_path, init) => {
    sent.push(JSON.parse(init?.body as string))
    return Promise.resolve(Response.json(answers[sent.length - 1]))
  })
}

afterEach(() => jest.restoreAllMocks())

test('a buyer in line sends the discount code of the hold with every further request, even without a code in the first', async () => {
  answerWith({ wait, code: 'FRIENDS' }, { wait, code: 'FRIENDS' }, { url: 'https://pay.example' })
  const places: object[] = []
  expect(await requestCheckout({ dropId: 1 }, (place) => places.push(place))).toBe('https://pay.example')
  expect(sent).toEqual([{ dropId: 1 }, { dropId: 1, code: 'FRIENDS' }, { dropId: 1, code: 'FRIENDS' }])
  expect(places).toEqual([wait, wait])
})

test('a request is repeated unchanged when a server of an older version returns no code', async () => {
  answerWith({ wait }, { url: 'https://pay.example' })
  await requestCheckout({ dropId: 1, code: 'FRIENDS' }, () => undefined)
  expect(sent).toEqual([
    { dropId: 1, code: 'FRIENDS' },
    { dropId: 1, code: 'FRIENDS' },
  ])
})
