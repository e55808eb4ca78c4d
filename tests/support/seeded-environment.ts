import { TestEnvironment } from 'jest-environment-node'

type EnvironmentArguments = ConstructorParameters<typeof TestEnvironment>

/**
 * Sets a seed for the random choices of each test file (see chance.ts), and prints it when a test in the file fails.
 */
export default class SeededEnvironment extends TestEnvironment {
  private readonly seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)

  constructor(...options: EnvironmentArguments) {
    super(...options)
    Object.assign(this.global, { lastcallTestSeed: this.seed })
  }

  handleTestEvent(event: { name: string }): void {
    if (event.name === 'test_fn_failure')
      process.stderr.write(`Random seed of this test file: TEST_SEED=${this.seed}\n`)
  }
}
