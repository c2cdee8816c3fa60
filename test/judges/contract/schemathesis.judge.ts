import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { routes } from '../../../functions/routes.ts'
import { programFromPyPi } from '../../support/pypi.ts'
import { type Kit, start } from '../../support/start.ts'
import type { Call } from '../../support/world/ask.ts'
import { happyCall } from '../../support/world/happy-calls.ts'
import { configurationWith, documentWith, operationsIn, readDocument } from './inputs.ts'

const run = promisify(execFile)

/** How many requests schemathesis makes of each operation in addition to its systematic ones, and from which seed. */
const examples = process.env['EXAMPLES'] ?? '12'
const seed = process.env['SEED'] ?? '1'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
]

/** Operations of which something else is expected, and why. */
const expectations: Readonly<Record<string, string>> = {
  'posts.validate': `
# It accepts what it finds wrong.
checks.negative_data_rejection.enabled = false`,
  'socialAccounts.connectBluesky': `
# The server that a person names may not answer: 503, as declared.
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]`,
  'socialAccounts.connectWordpress': `
# The site that a person names may not answer: 503, as declared.
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]`,
  'socialAccounts.connectNostr': `
# The relays that a person names may not answer: 503, as declared.
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "503"]`,
}

/** Operations that remove what others need, or need a current code: called last, in a separate run. */
const ending: readonly string[] = [
  'auth.changePassword',
  'auth.confirmTwoFactor',
  'auth.deleteAccount',
  'auth.disableTwoFactor',
  'auth.replaceRecoveryCodes',
  'auth.revokeOtherSessions',
  'auth.revokeSession',
  'auth.signOut',
  'cli.revokeToken',
  'socialAccounts.disconnect',
  'team.leave',
  'team.transferOwnership',
  'workspaces.delete',
]

let kit: Kit
let document: ReturnType<typeof readDocument>
/** The statuses that each operation has answered to schemathesis. */
const statuses = new Map<string, number[]>()
const folder = mkdtempSync(join(tmpdir(), 'contract-'))
const Answer = z.object({ statusCode: z.number() })

beforeAll(async () => {
  const plenty = { calls: 1_000_000, perSeconds: 60 }
  kit = await start({
    time: 'real',
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
    seeAnswer({ httpMethod, resource }, answer) {
      const operation = `${httpMethod} ${resource}`
      statuses.set(operation, [...(statuses.get(operation) ?? []), z.parse(Answer, answer).statusCode])
    },
  })
  document = readDocument(await (await fetch(`${kit.url}/api/openapi.json`)).text())
})
afterAll(async () => {
  await kit?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Calls that succeed, each made for its operation: what it is about is there. */
const prepare = async (names: readonly string[]) => {
  const before = new Map(statuses)
  const calls = new Map<string, Call>()
  for (const route of routes) {
    if (names.includes(route.operation)) calls.set(route.operation, await happyCall(route, kit))
  }
  // Only what schemathesis sends is counted.
  statuses.clear()
  for (const [operation, own] of before) statuses.set(operation, own)
  return calls
}

/** What schemathesis says about the answers to its requests of these calls; empty when it found nothing. */
const faultsOf = async (calls: ReadonlyMap<string, Call>): Promise<string> => {
  const program = await programFromPyPi('schemathesis', '4.32.5')
  const cwd = mkdtempSync(join(folder, 'run-'))
  const everywhere = [
    // Examples are what was prepared, and not what schemathesis has read about other objects.
    'phases.examples.extra-data-sources.responses = false',
    'checks.enabled = false',
    ...checks.map((check) => `checks.${check}.enabled = true`),
    // 413, for what is too large, is not in its own list.
    'checks.negative_data_rejection.expected-statuses = ["4xx"]',
  ]
  writeFileSync(join(cwd, 'openapi.json'), documentWith(document, calls))
  writeFileSync(join(cwd, 'schemathesis.toml'), [...everywhere, configurationWith(calls, expectations)].join('\n'))
  const options = ['--phases', 'examples,coverage,fuzzing', '--max-examples', examples, '--seed', seed]
  const args = ['run', 'openapi.json', '--url', kit.url, '--no-color', '--continue-on-failure', ...options]
  const { stdout, failed } = await run(program, args, { cwd, maxBuffer: 2 ** 28 }).then(
    ({ stdout }) => ({ stdout, failed: false }),
    (error: { stdout?: string }) => ({ stdout: error.stdout || String(error), failed: true }),
  )
  // Lines with a request may have many thousand characters.
  const lines = stdout.split('\n').map((line) => line.slice(0, 500))
  const from = lines.findIndex((line) => /^=+ (ERRORS|FAILURES) =+$/.test(line))
  return failed ? lines.slice(Math.max(0, from)).join('\n') : ''
}

/** Two processes, which take half of the time of one; threads of Python do not. */
const faultsOfAll = async (names: readonly string[]): Promise<string[]> => {
  const calls = [...(await prepare(names))]
  const halves = [0, 1].map((half) => new Map(calls.filter((_, at) => at % 2 === half)))
  return Promise.all(halves.map(faultsOf))
}

test('every operation keeps its part of the document', async () => {
  expect(await faultsOfAll(operationsIn(document).filter((name) => !ending.includes(name)))).toEqual(['', ''])
})

test('so does what takes something away', async () => {
  expect(await faultsOfAll(ending)).toEqual(['', ''])
})

test('every operation succeeds, and 95 % of the requests get past limits and authentication', () => {
  const named = new Set(operationsIn(document))
  const rows = routes
    .filter(({ operation }) => named.has(operation))
    .map(({ operation, endpoint: { contract } }) => {
      const own = statuses.get(`${contract.method} ${contract.path}`) ?? []
      const counts = [...Map.groupBy(own, (status) => status)].map(([status, { length }]) => `${status}: ${length}`)
      const succeeded = own.filter((status) => status < 400).length
      return { operation, succeeded, line: `${operation}: ${succeeded} of ${own.length} (${counts.sort().join(', ')})` }
    })
  console.log(rows.map(({ line }) => line).join('\n'))
  const all = [...statuses.values()].flat()
  const past = all.filter((status) => status !== 429 && status !== 401).length
  console.log(`${all.length} requests, ${past} past limits and authentication`)
  expect(past / all.length).toBeGreaterThanOrEqual(0.95)
  expect(rows.length).toBeGreaterThan(120)
  expect(rows.filter(({ succeeded }) => succeeded === 0).map(({ line }) => line)).toEqual([])
})
