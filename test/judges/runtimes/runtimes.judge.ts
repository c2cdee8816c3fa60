import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launch } from '../../browser/launch.ts'
import { type OpenWorld, openWorld, runIn } from '../../client/run-suite.ts'
import type { Outcome } from '../../client/suite/run.ts'

let world: OpenWorld
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const machine = `${process.platform}-${process.arch}`
const packages = join(import.meta.dirname, 'node_modules')
const bunName = machine.replace('arm64', 'aarch64')

/** The runtimes by their name, each with the package that has it on this machine. */
const runtimes: readonly [name: string, path: string, ...args: string[]][] = [
  ['Node.js 20', `node-20-${machine}/bin/node`],
  ['Node.js 22', `node-22-${machine}/bin/node`],
  [
    'Deno',
    `@deno/${machine}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
    'run',
    '--allow-all',
    '--node-modules-dir=manual',
  ],
  ['Bun', `@oven/bun-${bunName}/bin/bun`],
]

const failed = (outcomes: readonly Outcome[]) => outcomes.filter(({ error }) => error !== undefined)

/** The machine for which every runtime has a package; other machines leave out the runtimes that have none. */
const complete = 'linux-x64'

test.for(runtimes)('the package does the same in %s', async ([name, path, ...args], { skip }) => {
  const executable = join(packages, path)
  const isThere = existsSync(executable)
  skip(!isThere && machine !== complete, `${name} has no package for ${machine}`)
  expect(isThere, `${executable} is installed`).toBe(true)
  const outcomes = await runIn(world, [executable, ...args])
  expect(failed(outcomes)).toEqual([])
  expect(outcomes.length).toBeGreaterThan(30)
})

test('the package does the same in a browser', async () => {
  const browser = await launch()
  try {
    const page = await browser.newPage()
    await page.goto(`${world.world.url}/suite.html`)
    const outcomes = (await page.evaluate(`runSuite(${JSON.stringify(world.world)})`)) as Outcome[]
    expect(failed(outcomes)).toEqual([])
    expect(outcomes.length).toBeGreaterThan(30)
  } finally {
    await browser.close()
  }
})
