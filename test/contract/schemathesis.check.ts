import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { type Service, startService, systemClock } from '../../infra/local/service.ts'
import { jsonLog } from '../../shared/context.ts'
import { openSession } from '../../shared/identity/open-session.ts'
import { random62 } from '../../shared/ids.ts'
import { createWorkspace } from '../../shared/workspaces/create.ts'
import { settle } from '../laws/preparations.ts'
import { synthesizeOnce } from '../support/assembly.ts'
import { programFromPyPi } from '../support/pypi.ts'
import { tester } from '../support/tester.ts'

const run = promisify(execFile)

/** How many requests schemathesis makes of each operation beside its systematic ones, and from which seed. */
const examples = process.env['EXAMPLES'] ?? '12'
const seed = process.env['SEED'] ?? '1'

const aboutResponses = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
]
const allChecks = [...aboutResponses, 'negative_data_rejection']

/** What ends a session, an account, or a membership is called last, each by somebody of its own. */
const ending: readonly string[] = [
  'auth.changePassword',
  'auth.deleteAccount',
  'auth.revokeOtherSessions',
  'auth.revokeSession',
  'auth.signOut',
  'team.leave',
  'team.transferOwnership',
  'workspaces.delete',
]

/** Operations with a reason not to be called. */
const leftOut: Readonly<Record<string, string>> = {
  'socialAccounts.callback':
    'the longest query that it allows is longer than a request line: 431 by the server, not the API',
  'socialAccounts.connectBluesky': 'a server that a person names cannot be reached: 503, which is declared',
}

let service: Service
/** How often each operation answered with which status. */
const statuses = new Map<string, number[]>()
const folder = mkdtempSync(join(tmpdir(), 'contract-'))
const document = join(folder, 'openapi.json')

beforeAll(async () => {
  const made = await synthesizeOnce()
  const plenty = { calls: 1_000_000, perSeconds: 60 }
  const ample = 1_000_000
  service = await startService({
    clock: systemClock,
    polling: 'real',
    load: 'source',
    assembly: join(made, 'assembly'),
    files: join(made, 'files'),
    log: jsonLog(() => {}),
    billing: 'free',
    rateLimits: { general: plenty, auth: plenty, cli: plenty, ai: plenty },
    quotas: {
      ownedWorkspaces: ample,
      accessTokens: ample,
      sessions: ample,
      invitations: ample,
      invitationMails: ample,
    },
    seeAnswer({ httpMethod, resource }, answer) {
      const { statusCode } = answer as { statusCode: number }
      const operation = `${httpMethod} ${resource}`
      statuses.set(operation, [...(statuses.get(operation) ?? []), statusCode])
    },
  })
  writeFileSync(document, await (await fetch(`${service.baseUrl}/api/openapi.json`)).text())
})
afterAll(async () => {
  await service?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Somebody with a workspace. */
const newcomer = async () => {
  const ctx = service.context
  const person = await settle(ctx, `${random62(12).toLowerCase()}@example.com`)
  const { token } = await openSession(ctx, { ...person, userAgent: 'test' })
  const { id } = await createWorkspace(ctx, person.userId, { name: 'Acme', timezone: 'UTC' }, tester)
  return { token, workspaceId: id }
}

/** What schemathesis says about requests by somebody new; empty when it found nothing. */
const faultsOf = async (checks: readonly string[], ...chosen: readonly string[]): Promise<string> => {
  const { token, workspaceId } = await newcomer()
  const program = await programFromPyPi('schemathesis', '4.32.5')
  const headers = [`Authorization: Bearer ${token}`, `X-Workspace-Id: ${workspaceId}`]
  const options = [
    '--checks',
    checks.join(','),
    '--phases',
    'examples,coverage,fuzzing',
    '--max-examples',
    examples,
    '--seed',
    seed,
  ]
  const args = ['run', document, '--url', service.baseUrl, '--no-color', '--continue-on-failure', ...options]
  const { stdout, failed } = await run(
    program,
    [...args, ...headers.flatMap((header) => ['--header', header]), ...chosen],
    { cwd: folder, maxBuffer: 2 ** 28 },
  ).then(
    ({ stdout }) => ({ stdout, failed: false }),
    (error: { stdout?: string }) => ({ stdout: error.stdout || String(error), failed: true }),
  )
  return failed ? stdout.slice(Math.max(0, stdout.indexOf('= FAILURES') - 2_000), 20_000) : ''
}

const except = (names: readonly string[]) => names.flatMap((name) => ['--exclude-operation-id', name])

test('every operation keeps its part of the document', async () => {
  expect(await faultsOf(allChecks, ...except([...ending, ...Object.keys(leftOut), 'posts.validate']))).toBe('')
})

test('posts.validate, which accepts what it finds wrong, keeps its part of the document', async () => {
  expect(await faultsOf(aboutResponses, '--include-operation-id', 'posts.validate')).toBe('')
})

test.each(ending)('%s, which ends something, keeps its part of the document', async (name) => {
  expect(await faultsOf(allChecks, '--include-operation-id', name)).toBe('')
})

test('95 % of the requests get past limits and authentication', () => {
  const rows = routes
    .map(({ operation, endpoint: { contract } }) => {
      const own = statuses.get(`${contract.method} ${contract.path}`) ?? []
      return { operation, calls: own.length, succeeded: own.filter((status) => status < 300).length }
    })
    .filter(({ calls }) => calls > 0)
  console.log(rows.map(({ operation, calls, succeeded }) => `${operation}: ${succeeded} of ${calls}`).join('\n'))
  const all = [...statuses.values()].flat()
  const past = all.filter((status) => status !== 429 && status !== 401).length
  console.log(`${all.length} requests, ${past} past limits and authentication`)
  expect(past / all.length).toBeGreaterThanOrEqual(0.95)
  expect(rows.length).toBeGreaterThan(120)
})
