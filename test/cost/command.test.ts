import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const cost = (...args: readonly string[]) =>
  run(process.execPath, [join(root, 'test/bench/cost.ts'), ...args], { cwd: root })

const amount = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])

test('npm run cost prints what an idle month and a million posts cost, with the units', async () => {
  const { stdout } = await cost('--posts', '2')
  const idle = amount(stdout, /^An idle month: ([\d.]+) USD without the firewall/m)
  const alone = amount(stdout, /([\d.]+) USD if each is due by itself/)
  const batched = amount(stdout, /^([\d.]+) USD if ten at a time are due together/m)
  expect(idle).toBeGreaterThan(3)
  expect(idle).toBeLessThanOrEqual(6.25)
  // Two thirds of it are write units, which test/capacity counts exactly.
  expect(alone).toBeGreaterThan(40)
  expect(alone).toBeLessThan(120)
  expect(batched).toBeGreaterThan(25)
  expect(batched).toBeLessThan(alone)
  for (const one of ['posts-schedule', 'prepare-post', 'publish-post', 'relay-events', 'deliver-webhook']) {
    expect(stdout).toContain(`| Lambda | duration of ${one} |`)
  }
  // It waits 1.5 to 2.5 seconds; with schedules that fire at the full second, the mean of it.
  const waits = [...stdout.matchAll(/^\| publish-post \| [\d.]+ \| 512 \| [\d.]+ \| ([\d.]+) \|/gm)]
  expect(waits.map(([, wait]) => Number(wait))).toEqual([2000, 2000])
}, 180_000)

test('npm run cost rejects a number of posts that is not one', async () => {
  await expect(cost('--posts', 'many')).rejects.toMatchObject({
    code: 2,
    stderr: '--posts is how many posts to measure: a whole number from 1 to 1000.\n',
  })
})
