import { dismissToast, readToast, subscribeToToast, toast } from './toast-store'

beforeEach(() => jest.useFakeTimers())
afterEach(() => {
  jest.runAllTimers()
  jest.useRealTimers()
})

/** Shows a toast and returns its number. */
function show(title: string): number {
  toast({ title })
  return readToast()!.id
}

it('a new toast replaces the earlier one', () => {
  const first = show('First')
  show('Second')
  expect(readToast()).toMatchObject({ title: 'Second', isOpen: true })
  // Closing the replaced toast does not close the new one.
  dismissToast(first)
  expect(readToast()).toMatchObject({ title: 'Second', isOpen: true })
  dismissToast(readToast()!.id)
})

it('a dismissed toast is closed at once and removed 3000 ms later', () => {
  const seen: unknown[] = []
  const unsubscribe = subscribeToToast(() => seen.push(readToast()?.isOpen ?? null))
  dismissToast(show('Saved'))
  jest.advanceTimersByTime(2_999)
  expect(readToast()).toMatchObject({ title: 'Saved', isOpen: false })
  jest.advanceTimersByTime(1)
  expect(readToast()).toBeNull()
  expect(seen).toEqual([true, false, null])
  unsubscribe()
})

it('a toast that comes while another one is being removed stays', () => {
  dismissToast(show('Saved'))
  jest.advanceTimersByTime(2_000)
  show('Link copied!')
  jest.advanceTimersByTime(10_000)
  expect(readToast()).toMatchObject({ title: 'Link copied!', isOpen: true })
  dismissToast(readToast()!.id)
})
