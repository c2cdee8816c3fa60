import type { Reporter, TestModule } from 'vitest/node'

/** Where nobody sees the counter of a terminal, a line for each tenth of the files says how far a run is. */
export default class Progress implements Reporter {
  #startedAt = 0
  #files = 0
  #done = 0
  #tests = 0
  #failed = 0

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#startedAt = performance.now()
    this.#files = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    const before = Math.floor((this.#done * 10) / this.#files)
    this.#done += 1
    for (const { result } of [...module.children.allTests()].map((test) => ({ result: test.result() }))) {
      if (result.state === 'failed') this.#failed += 1
      if (result.state !== 'skipped') this.#tests += 1
    }
    const tenths = Math.floor((this.#done * 10) / this.#files)
    if (process.stdout.isTTY || tenths === before) return
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000)
    console.log(
      ` ${tenths * 10} % · ${this.#done} of ${this.#files} files · ${this.#tests} tests, ${this.#failed} failed · ${seconds} s`,
    )
  }
}
