/**
 * The randomness of the tests: in what order events arrive, which come twice, which come late. `TEST_SEED` repeats a run; the
 * seed is printed when a test fails.
 */
const givenSeed: unknown = Reflect.get(globalThis, 'lastcallTestSeed')

const seed = typeof givenSeed === 'number' ? givenSeed : 1

/** A random number generator with a seed, so that a failure can be repeated. */
export function randomFrom(start: number) {
  let state = start >>> 0
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const shuffle = <T>(items: readonly T[]): T[] => {
    const left = [...items]
    const shuffled: T[] = []
    while (left.length > 0) shuffled.push(...left.splice(below(left.length), 1))
    return shuffled
  }
  return { below, shuffle }
}

export const chance = randomFrom(seed)
