import { freeUnits, unsoldUnits, waitFor, requiredWork } from './rules'

test('units in checkout are neither free nor sold', () => {
  const stock = { quantity: 10, sold: 6, held: 3 }
  expect([freeUnits(stock), unsoldUnits(stock)]).toEqual([1, 4])
})

test('the numbers of units are never negative', () => {
  expect([freeUnits({ quantity: 1, sold: 1, held: 1 }), unsoldUnits({ quantity: 1, sold: 2 })]).toEqual([0, 0])
})

describe('the proof of work before a hold', () => {
  const calm = {
    unsold: 200,
    unpaid: 0,
    isLasting: true,
    wasKeptUnpaid: false,
    ownUnpaid: 0,
    ownExpired: 0,
    ownPaid: 0,
    ownWaiting: 0,
  }
  const pressed = { ...calm, unpaid: 101 }

  it('is not needed while at most half of the unsold units are in checkout', () => {
    expect([requiredWork(calm, 1), requiredWork(calm, 10), requiredWork({ ...calm, unpaid: 100 }, 1)]).toEqual([
      0, 0, 0,
    ])
  })

  it('is not needed during a rush, even if all units are in checkout', () => {
    expect(requiredWork({ ...pressed, unpaid: 200, isLasting: false }, 1)).toBe(0)
  })

  it('is not needed for the first order of an origin, however few units are unsold', () =>
    expect(requiredWork({ ...calm, isLasting: false, unsold: 1 }, 10)).toBe(0))

  it('is light for an origin with more than a tenth of the units in checkout, and grows with their number', () => {
    const work = [19, 20, 60, 99].map((ownUnpaid) => requiredWork({ ...calm, unpaid: ownUnpaid, ownUnpaid }, 1))
    expect(work).toEqual([0, 50_000, 150_000, 200_000])
  })

  it('is needed after an expired checkout, unless the origin has paid for enough others', () => {
    expect(requiredWork({ ...calm, ownExpired: 1 }, 1)).toBe(50_000)
    expect(requiredWork({ ...calm, ownExpired: 1, ownPaid: 2 }, 1)).toBe(0)
  })

  it('grows with all units in checkout, with those of the origin and with its expired checkouts', () => {
    const harder = [pressed, { ...pressed, unpaid: 150 }, { ...pressed, unpaid: 199 }].map((p) => requiredWork(p, 1))
    expect(harder).toEqual([...harder].sort((a, b) => a - b))
    expect(harder[0]).toBeGreaterThanOrEqual(200_000)
    expect(requiredWork({ ...pressed, ownUnpaid: 40 }, 1)).toBeGreaterThan(requiredWork(pressed, 1))
    expect(requiredWork({ ...pressed, ownExpired: 2 }, 1)).toBeGreaterThan(requiredWork(pressed, 1))
    expect(requiredWork({ ...pressed, unpaid: 199, ownUnpaid: 199, ownExpired: 50 }, 10)).toBe(12_000_000)
  })

  it('is needed for the last unit while at most two are unsold, once an unpaid checkout has kept it for a while', () => {
    const last = { ...calm, unsold: 1, wasKeptUnpaid: true }
    expect([requiredWork({ ...last, wasKeptUnpaid: false }, 1), requiredWork(last, 1)]).toEqual([0, 200_000])
    expect(requiredWork({ ...last, unsold: 2 }, 1)).toBe(0)
    expect(requiredWork({ ...last, unsold: 2, unpaid: 1 }, 1)).toBe(200_000)
    expect(requiredWork({ ...last, unsold: 3, unpaid: 1 }, 1)).toBe(0)
  })

  it('grows with the checkouts of the origin in the line, and is never needed for the first ten', () => {
    const works = [0, 9, 10, 30, 99, 600].map((ownWaiting) => requiredWork({ ...calm, ownWaiting }, 1))
    expect(works).toEqual([0, 0, 50_000, 150_000, 450_000, 12_000_000])
  })

  it('is needed above a hundred units of one origin, however large the drop is', () => {
    const large = { ...calm, unsold: 1_000_000 }
    expect([99, 100].map((ownUnpaid) => requiredWork({ ...large, unpaid: ownUnpaid, ownUnpaid }, 1))).toEqual([
      0, 50_000,
    ])
  })

  it('can be replaced by a wait of at most two minutes', () => {
    expect([waitFor(50_000), waitFor(1_000_000), waitFor(12_000_000)]).toEqual([3, 10, 120])
  })
})
