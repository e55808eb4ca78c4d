import { progressOf } from './upload-form'

test('an upload reports its percentage and the time left at the average rate so far', () => {
  expect(progressOf(0, 0, 0)).toEqual({ loadedBytes: 0, totalBytes: 0, percent: 0, secondsLeft: null })
  expect(progressOf(1_000, 500_000, 500)).toMatchObject({ percent: 0, secondsLeft: null })
  expect(progressOf(100_000_000, 500_000_000, 100_000)).toMatchObject({ percent: 20, secondsLeft: 400 })
  expect(progressOf(500, 500, 3_000)).toMatchObject({ percent: 100, secondsLeft: 0 })
})
