import { tabStorage } from './tab-storage'

afterEach(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))

const provide = (get: () => unknown) =>
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get: get as () => Storage })

it('keeps strings, and forgets a string that is removed', () => {
  const texts = new Map<string, string>()
  provide(() => ({
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => texts.set(key, text),
    removeItem: (key: string) => texts.delete(key),
  }))
  tabStorage.set('draft', 'a mug')
  expect(tabStorage.get('draft')).toBe('a mug')
  tabStorage.remove('draft')
  expect(tabStorage.get('draft')).toBeNull()
})

it.each(['SecurityError', 'QuotaExceededError'])(
  'keeps nothing and never throws when the browser throws a %s',
  (name) => {
    provide(() => {
      throw new DOMException('forbidden', name)
    })
    tabStorage.set('draft', 'a mug')
    expect(tabStorage.get('draft')).toBeNull()
    tabStorage.remove('draft')
  },
)
