import { freeUnits, unsoldUnits, waitFor, workFor } from './rules'

test('units in checkout are not free, and are not sold either', () => {
  const stock = { quantity: 10, sold: 6, held: 3 }
  expect([freeUnits(stock), unsoldUnits(stock)]).toEqual([1, 4])
})

test('the numbers of units are never negative', () => {
  expect([freeUnits({ quantity: 1, sold: 1, held: 1 }), unsoldUnits({ quantity: 1, sold: 2 })]).toEqual([0, 0])
})

describe('the work before a hold', () => {
  const calm = { unsold: 200, unpaid: 0, isLasting: true, ownUnpaid: 0, ownExpired: 0, ownPaid: 0 }
  const pressed = { ...calm, unpaid: 101 }

  it('is none for a person while at most half of the units are unpaid', () => {
    expect([workFor(calm, 1), workFor(calm, 10), workFor({ ...calm, unpaid: 100 }, 1)]).toEqual([0, 0, 0])
  })

  it('is none while a crowd comes at once', () => {
    expect(workFor({ ...pressed, unpaid: 200, isLasting: false }, 1)).toBe(0)
  })

  it('is none for one order, however few units there are', () =>
    expect(workFor({ ...calm, isLasting: false, unsold: 1 }, 10)).toBe(0))

  it('is light when an address has more than a tenth of the units in checkout, and grows with what it has', () => {
    const work = [19, 20, 60, 99].map((ownUnpaid) => workFor({ ...calm, unpaid: ownUnpaid, ownUnpaid }, 1))
    expect(work).toEqual([0, 50_000, 150_000, 200_000])
  })

  it('comes with checkouts that expired, less so when the origin has paid for others', () => {
    expect(workFor({ ...calm, ownExpired: 1 }, 1)).toBe(50_000)
    expect(workFor({ ...calm, ownExpired: 1, ownPaid: 2 }, 1)).toBe(0)
  })

  it('grows with the unpaid units, those of the origin and its expired checkouts', () => {
    const harder = [pressed, { ...pressed, unpaid: 150 }, { ...pressed, unpaid: 199 }].map((p) => workFor(p, 1))
    expect(harder).toEqual([...harder].sort((a, b) => a - b))
    expect(harder[0]).toBeGreaterThanOrEqual(200_000)
    expect(workFor({ ...pressed, ownUnpaid: 40 }, 1)).toBeGreaterThan(workFor(pressed, 1))
    expect(workFor({ ...pressed, ownExpired: 2 }, 1)).toBeGreaterThan(workFor(pressed, 1))
    expect(workFor({ ...pressed, unpaid: 199, ownUnpaid: 199, ownExpired: 50 }, 10)).toBe(12_000_000)
  })

  it('can be replaced by a wait of at most two minutes', () => {
    expect([waitFor(50_000), waitFor(1_000_000), waitFor(12_000_000)]).toEqual([3, 10, 120])
  })
})
