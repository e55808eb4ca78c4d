import { TestEnvironment } from 'jest-environment-node'

type NodeOptions = ConstructorParameters<typeof TestEnvironment>

/** Gives each test file the seed of its random choices (chance.ts), and prints it when one of its tests fails. */
export default class SeededEnvironment extends TestEnvironment {
  private readonly seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000)

  constructor(...options: NodeOptions) {
    super(...options)
    Object.assign(this.global, { lastcallTestSeed: this.seed })
  }

  handleTestEvent(event: { name: string }): void {
    if (event.name === 'test_fn_failure') process.stderr.write(`The chance of this test file: TEST_SEED=${this.seed}\n`)
  }
}
