import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { bundle, bundleOptions, handlers } from '../../infra/deploy/bundle.ts'

/**
 * How long each bundle takes to load, against the same source under the default settings of the CDK's NodejsFunction
 * (with the SDK inside) and against an empty handler. Every sample is its own process; all are shuffled into one
 * run, because only ratios inside a run mean anything. Names of functions as arguments choose some of them.
 */
const rounds = 15
const atMost = 0.5
const quiet = 1.5

// What the Lambda runtime has loaded by require before it turns to the handler.
const sample = `
for (const name of ['http', 'https', 'crypto', 'fs/promises']) require('node:' + name)
const startedAt = performance.now()
require(process.argv[1])
process.stdout.write(String(performance.now() - startedAt))
`

const measure = (file: string): number =>
  Number(
    execFileSync(process.execPath, ['-e', sample, file], {
      env: { AWS_REGION: 'eu-central-1', NODE_DISABLE_COMPILE_CACHE: '1', NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    }),
  )

const quantile = (values: readonly number[], at: number) =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * at)] ?? Number.NaN

const median = (values: readonly number[]) => quantile(values, 0.5)

const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ value }) => value)

const chosen = handlers.filter(({ name }) => process.argv.length < 3 || process.argv.includes(name))

const makeBundles = async (folder: string) => {
  await bundle({ folder: join(folder, 'ours') })
  await build({
    entryPoints: chosen.map(({ name, file }) => ({ in: file, out: `${name}/index` })),
    outdir: join(folder, 'theirs'),
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    // Without it, the workers that start the image program do not load.
    define: bundleOptions.define,
    logLevel: 'error',
  })
  writeFileSync(join(folder, 'empty.cjs'), 'exports.handler = async () => {}\n')
}

const fileOf = (folder: string, side: string, name: string) => join(folder, side, name, 'index.cjs')

/** One run: every file as often as there are rounds, in random order. */
const run = (folder: string): Map<string, number[]> => {
  const files = [
    join(folder, 'empty.cjs'),
    ...chosen.flatMap(({ name }) => [fileOf(folder, 'ours', name), fileOf(folder, 'theirs', name)]),
  ]
  const times = new Map<string, number[]>(files.map((file) => [file, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const file of shuffled(files)) times.get(file)?.push(measure(file))
  }
  return times
}

/** Prints a run and returns the mean of its ratios; undefined if the machine was too busy. */
const judge = (folder: string): number | undefined => {
  const times = run(folder)
  const of = (file: string) => times.get(file) ?? []
  const floor = of(join(folder, 'empty.cjs'))
  const spread = quantile(floor, 0.9) / quantile(floor, 0.1)
  const ratios = chosen.map(({ name }) => {
    const [ours, theirs] = [of(fileOf(folder, 'ours', name)), of(fileOf(folder, 'theirs', name))]
    const ratio = median(ours) / median(theirs)
    const range = `${quantile(ours, 0.1).toFixed(1)}–${quantile(ours, 0.9).toFixed(1)}`
    const ms = `${median(ours).toFixed(1)} ms (${range}) against ${median(theirs).toFixed(1)} ms`
    const kilobytes = `${Math.ceil(statSync(fileOf(folder, 'ours', name)).size / 1000)} KB`
    process.stdout.write(`${name.padEnd(36)} ${ratio.toFixed(2)}   ${ms}, ${kilobytes}\n`)
    return ratio
  })
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length
  process.stdout.write(
    `mean ${mean.toFixed(3)}, empty handler ${median(floor).toFixed(2)} ms, spread ${spread.toFixed(2)}\n`,
  )
  return spread > quiet ? undefined : mean
}

const folder = mkdtempSync(join(tmpdir(), 'social-cold-start-'))
try {
  await makeBundles(folder)
  const first = judge(folder)
  const mean = first !== undefined && first <= atMost ? first : judge(folder)
  if (mean === undefined) process.stdout.write('The machine was too busy to judge: run it again when it is quiet.\n')
  else if (mean > atMost) process.stdout.write(`Missed twice: the mean ratio must be at most ${atMost}.\n`)
  process.exitCode = mean !== undefined && mean <= atMost ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
