import { appendFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { bill, type Price } from './prices.ts'

/** The files and names of the failures of a module; a module that failed outside its tests has no name. */
const failuresOf = (module: TestModule): string[] => {
  const failed = [...module.children.allTests('failed')].map(({ fullName }) => fullName)
  const names = failed.length > 0 || module.ok() ? failed : ['']
  return names.map((name) => `${module.relativeModuleId}\t${name.replaceAll(/\s+/g, ' ')}\n`)
}

/** A run of fewer files is no run of `npm test`. */
const minFiles = 200

/**
 * Where no terminal shows the counter, a line for each tenth of the files says how far a run is. `.ci/run` reads
 * what failed from the file that `FAILED_TESTS` names.
 */
export default class Progress implements Reporter {
  #startedAt = 0
  #files = 0
  #done = 0
  #tests = 0
  #failed = 0
  #prices: Price[] = []

  onTestRunStart(specifications: readonly unknown[]): void {
    this.#startedAt = performance.now()
    this.#files = specifications.length
  }

  onTestModuleEnd(module: TestModule): void {
    const before = Math.floor((this.#done * 10) / this.#files)
    const failures = failuresOf(module)
    const file = process.env['FAILED_TESTS']
    if (file !== undefined && failures.length > 0) appendFileSync(file, failures.join(''))
    this.#done += 1
    const { processorMs } = module.meta()
    if (module.project.name === 'behavior' && processorMs !== undefined)
      this.#prices.push([module.relativeModuleId, processorMs])
    this.#failed += failures.length
    this.#tests += [...module.children.allTests()].filter((test) => test.result().state !== 'skipped').length
    const tenths = Math.floor((this.#done * 10) / this.#files)
    if (process.stdout.isTTY || tenths === before) return
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000)
    console.log(
      ` ${tenths * 10} % · ${this.#done} of ${this.#files} files · ${this.#tests} tests, ${this.#failed} failed · ${seconds} s`,
    )
  }

  onTestRunEnd(): void {
    if (this.#prices.length < minFiles) return
    const { lines, faults } = bill(this.#prices)
    console.log(lines.join('\n'))
    for (const fault of faults) console.error(`PRICE ${fault}`)
    if (faults.length > 0) process.exitCode = 1
  }
}
