import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const cost = (...args: readonly string[]) =>
  run(process.execPath, [join(root, 'test/bench/cost.ts'), ...args], { cwd: root })

const amount = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])

/** What the deployment guide shows of the output. */
const documented = (): string => {
  const text = readFileSync(join(root, 'infra/README.md'), 'utf8')
  const [, section = ''] = text.split('\n## Cost\n')
  return section.slice(section.indexOf('Prices of')).split('\n## ')[0] ?? ''
}

interface Row {
  /** The table that the row is in, by its number, and what it is about. */
  key: string
  numbers: number[]
}

const rowsIn = (text: string): Row[] => {
  let table = 0
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('| ---')) table += 1
    const cells = line.split(' | ').map((cell) => cell.replace(/[|*,]/g, '').trim())
    if (!line.startsWith('|') || line.startsWith('| ---')) return []
    const numbers = cells.filter((cell) => /^[\d.]+$/.test(cell)).map(Number)
    return [{ key: `${table} ${cells.filter((cell) => !/^[\d.]+$/.test(cell)).join(' | ')}`, numbers }]
  })
}

/**
 * How long functions take depends on the machine, what they keep in memory on the number of posts, and how many messages of
 * a batch share a call on the moment; all else is counted.
 */
const isCounted = ({ key }: Row) =>
  !/duration of|^\d [\w-]+$|Sum|data keys decrypted|secrets read|^3 SQS .*(?:messages sent|fair queues)/.test(key)

const differs = (first: number, second: number, share: number) =>
  Math.abs(first - second) > share * Math.max(first, second)

/** What the guide says otherwise than the output, which is of fewer posts: 10% may differ. */
const outdated = (shown: string, printed: string): string[] => {
  const [of, now] = [rowsIn(shown), rowsIn(printed)]
  const missing = now.filter(({ key }) => !of.some((row) => row.key === key)).map(({ key }) => `missing: ${key}`)
  const gone = of.filter(({ key }) => !now.some((row) => row.key === key)).map(({ key }) => `gone: ${key}`)
  const changed = now.filter(isCounted).flatMap(({ key, numbers }) => {
    const row = of.find((candidate) => candidate.key === key)
    if (row === undefined || numbers.every((value, at) => !differs(value, row.numbers[at] ?? 0, 0.1))) return []
    return [`${key}: ${row.numbers.join(', ')} in the guide, ${numbers.join(', ')} now`]
  })
  return [...missing, ...gone, ...changed]
}

test('npm run cost prints what an idle month and a million posts cost, with the units', async () => {
  const { stdout } = await cost('--posts', '2')
  const idle = amount(stdout, /^An idle month: ([\d.]+) USD without the firewall/m)
  const alone = amount(stdout, /([\d.]+) USD if each is due by itself/)
  const batched = amount(stdout, /^([\d.]+) USD if ten at a time are due together/m)
  expect(idle).toBeGreaterThan(3)
  expect(idle).toBeLessThanOrEqual(7.6)
  // Two thirds of it are write units, which test/capacity counts exactly.
  expect(alone).toBeGreaterThan(40)
  expect(alone).toBeLessThan(120)
  expect(batched).toBeGreaterThan(25)
  expect(batched).toBeLessThan(alone)
  for (const functionName of ['posts-schedule', 'prepare-post', 'publish-post', 'deliver-webhook']) {
    expect(stdout).toContain(`| Lambda | duration of ${functionName} |`)
  }
  // It waits 1.5 to 2.5 seconds; with schedules that fire at the full second, the mean of it.
  const waits = [...stdout.matchAll(/^\| publish-post \| [\d.]+ \| 320 \| [\d.]+ \| ([\d.]+) \|/gm)]
  expect(waits.map(([, wait]) => Number(wait))).toEqual([2000, 2000])
  const guide = documented()
  expect(rowsIn(guide).length).toBeGreaterThan(50)
  expect(outdated(guide, stdout)).toEqual([])
  // The idle month is computed, not measured: every character of it is the same.
  const idlePart = (text: string) => text.slice(0, text.indexOf('A million posts'))
  expect(idlePart(guide)).toBe(idlePart(stdout))
  expect(
    outdated(guide.replaceAll('| API Gateway | requests | 1,000,000', '| API Gateway | requests | 2,000,000'), stdout),
  ).not.toEqual([])
}, 180_000)

test('npm run cost rejects a number of posts that is not one', async () => {
  await expect(cost('--posts', 'many')).rejects.toMatchObject({
    code: 2,
    stderr: '--posts is how many posts to measure: a whole number from 1 to 1000.\n',
  })
})
