import { freeUnits, unsoldUnits } from './rules'

test('units in checkout are not free, and are not sold either', () => {
  const stock = { quantity: 10, sold: 6, held: 3 }
  expect([freeUnits(stock), unsoldUnits(stock)]).toEqual([1, 4])
})

test('the numbers of units are never negative', () => {
  expect([freeUnits({ quantity: 1, sold: 1, held: 1 }), unsoldUnits({ quantity: 1, sold: 2 })]).toEqual([0, 0])
})
