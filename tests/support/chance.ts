/**
 * The seed of the tests' random choices, for example the order in which events arrive. `TEST_SEED` repeats a run, and a
 * failing test prints its seed.
 */
const givenSeed: unknown = Reflect.get(globalThis, 'lastcallTestSeed')

const seed = typeof givenSeed === 'number' ? givenSeed : 1

/**
 * Creates a random number generator that returns the same numbers for the same seed, so that a failure can be repeated.
 */
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
