import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, workerTable } from '../../functions/routes.ts'
import { localNames } from '../../infra/deploy/stacks/names.ts'
import { needsOf, type Right, rightsOf } from '../../infra/deploy/stacks/rights.ts'
import type { Item as StoredItem } from '../../infra/local/engines/table/value.ts'
import type { Access } from '../../infra/local/iam/access.ts'
import type { ObserveFunction } from '../../infra/local/service/invocation.ts'
import { put } from '../../shared/db/table.ts'
import { outbox } from '../../shared/events/outbox.ts'
import { eventTypes } from '../../shared/events/types.ts'
import type { Need, Variable } from '../../shared/resources.ts'
import { expectAsDocumented } from '../journeys/event-contract.ts'
import { record, recordWalk } from '../operations/released-table.ts'
import { type Kit, start } from '../support/start.ts'
import { walkEverywhere } from '../support/world/journey.ts'
import { makeLosses } from '../support/world/losses.ts'
import { password } from '../support/world/preparations.ts'
import { scanTable } from '../support/world/rows.ts'
import { collectSecrets } from '../support/world/secrets/collect.ts'
import { findLeaks } from '../support/world/secrets/leaks.ts'
import { recordTraffic } from '../support/world/secrets/traffic.ts'
import { recordAccesses, removeStatements } from '../support/world/statements.ts'
import { targetOf } from '../support/world/target-of.ts'

/** Every function and what it says it needs. */
const needsByFunction = new Map<string, readonly Need[]>([
  ...everyRoute.map(({ name, endpoint }) => [name, needsOf(endpoint.contract)] as const),
  ...workerTable.map(({ name, worker }) => [name, worker.definition.needs] as const),
])

/** Needs that no journey shows, and why they are there. */
const unseen: readonly { functionName: string; need: Need; reason: string }[] = [
  { functionName: 'pages-change-billing', need: 'ai-budget', reason: 'a refused form shows the page again' },
]

const accesses = recordAccesses()
const variablesRead = new Set<string>()
let kit: Kit | undefined
const earlierItems: StoredItem[] = []
const { losing, assertArrives } = makeLosses()
const results: unknown[] = []
const traffic = recordTraffic()

const observe: ObserveFunction = async (effect, run) => {
  assertArrives(effect)
  const result = await run()
  if (effect.service !== 'dynamodb') results.push(result)
  return result
}

/** Notes which variables each function reads. */
const watchVariables = ({ service }: Kit) => {
  for (const functionName of needsByFunction.keys()) {
    const ctx = service.contextOf(functionName)
    const { env } = ctx
    ctx.env = (name) => {
      variablesRead.add(`${functionName} ${name}`)
      return env(name)
    }
  }
}

beforeAll(async () => {
  kit = await start({
    observe,
    seeDecision: accesses.see,
    keepExpired: true,
    seeEarlier: (item) => earlierItems.push(item),
    allowedOrigins: ['http://127.0.0.1:*'],
  })
  watchVariables(kit)
  await walkEverywhere({ kit, losing })
}, 240_000)
afterAll(async () => {
  traffic.stop()
  await kit?.close()
})

test('no function is denied an action, and all but a few functions act', () => {
  expect([...(kit?.denied ?? ['the walk has not run'])]).toEqual([])
  expect(accesses.roles().length).toBeGreaterThan(needsByFunction.size - 11)
})

/** Whether an access of a function takes one of these rights. */
const takesOneOf = (rights: readonly Right[], access: Access) => {
  const target = targetOf(access, (name) => kit?.ctx.env(name) ?? '')
  return rights.some(
    ({ resource, actions }) =>
      actions.includes(access.action) &&
      (resource === target ||
        (resource === 'media-listing' && target === 'media-bucket') ||
        (resource.startsWith('platform-secrets:') && target === 'platform-secrets')),
  )
}

/** Needs that grant a variable instead of a right. */
const variableOf: Partial<Record<Need, Variable>> = {
  origins: 'ALLOWED_ORIGINS',
  files: 'FILES_FOLDER',
  'push-providers': 'VAPID_PUBLIC_KEY',
  'ai-budget': 'AI_BUDGET_MICRO_USD',
  'ai:text-settings': 'AI_TEXT',
  'ai:speech-settings': 'AI_SPEECH',
  billing: 'BILLING',
  platforms: 'PLATFORM_ORIGINS',
}

test('every function uses every permission that it declares', () => {
  const isUsed = (functionName: string, need: Need) => {
    const variable = variableOf[need]
    if (variable !== undefined) return variablesRead.has(`${functionName} ${variable}`)
    const rights = rightsOf([need])
    return accesses.ofFunction(localNames.physical(functionName)).some((access) => takesOneOf(rights, access))
  }
  const unused = [...needsByFunction].flatMap(([functionName, needs]) =>
    needs.filter((need) => !isUsed(functionName, need)).map((need) => `${functionName} never used ${need}`),
  )
  expect(unused).toEqual(unseen.map(({ functionName, need }) => `${functionName} never used ${need}`))
})

test('a function is denied a call that it makes when any statement of its role is removed', () => {
  if (kit === undefined) throw new Error('the walk has not run')
  const removed = removeStatements(kit.service.authority.policies, accesses)
  expect(removed.length).toBeGreaterThan(needsByFunction.size * 2)
  expect(removed.filter(({ isNeeded }) => !isNeeded).map(({ statement }) => statement)).toEqual([])
})

test('every event type was sent along the way, as documented', async () => {
  if (kit === undefined) throw new Error('the walk has not run')
  const events = (await scanTable(kit))
    .filter(({ type }) => type === 'Outbox')
    .flatMap((row) => outbox.parse(row).events)
    // Recorded by a preparation and not by the service.
    .filter(({ data }) => data['test'] !== true)
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes))
  expectAsDocumented(events)
})

test('a row of every form is recorded, for the releases to come', async () => {
  if (kit === undefined) throw new Error('the walk has not run')
  await expect(await recordWalk(kit, earlierItems)).toMatchFileSnapshot(`../operations/${record}`)
})

/** What the walk cannot have gone without. */
const secretsUsed = [
  ...['appPassword', 'bearer', 'new token', 'mailed token', 'deviceCode', 'userCode'],
  ...['form_key', 'code', 'state', 'signature', 'signing secret', 'accessJwt', 'refreshJwt', 'access_token'],
  ...['secret', 'recovery code'],
  ...['refresh_token', 'botToken', 'clientSecret', 'current', 'data key'],
]

/** Files that were made before the service ran: their examples hold the passwords of the tests. */
const madeBefore = /\/(?:api\/openapi\.json|llms(?:-full)?\.txt|api\/docs(?:\/.*)?)$/
const whileItRuns = () => traffic.exchanged.filter(({ url }) => !madeBefore.test(url.pathname))

test('no row, log line, email, or response contains a secret, except the response that returns it', async () => {
  if (kit === undefined) throw new Error('the walk has not run')
  const secrets = collectSecrets(kit, traffic.exchanged, results)
  expect(secretsUsed.filter((used) => !secrets.some(({ name }) => name === used))).toEqual([])
  expect(secrets.find(({ text }) => text === password)?.kind).toBe('password')
  expect(kit.logged.length).toBeGreaterThan(0)
  expect(await findLeaks(kit, secrets, whileItRuns())).toEqual([])
})

test('the scan detects a secret anywhere', async () => {
  if (kit === undefined) throw new Error('the walk has not run')
  const secrets = collectSecrets(kit, traffic.exchanged, results)
  const [key, handed] = [secrets.find(({ bytes }) => bytes), secrets.find(({ name }) => name === 'new token')]
  const answer = traffic.exchanged.find(({ answered }) => answered.includes(handed?.text ?? 'nobody'))
  if (!key?.bytes || !handed || !answer) throw new Error('the walk has used no key or token')
  await put(kit.ctx, { PK: 'PLANTED', SK: 'packed', answer: gzipSync(JSON.stringify({ password })) })
  await put(kit.ctx, { PK: 'PLANTED', SK: 'encoded', text: Buffer.from(`{"key":"${handed.text}"}`).toString('base64') })
  kit.ctx.log.info('planted', { key: Buffer.from(key.bytes).toString('hex') })
  const leaks = await findLeaks(kit, secrets, [...whileItRuns(), answer])
  expect(leaks.sort()).toEqual([
    expect.stringMatching(/^2 answers .* hold the token "new token"/),
    expect.stringMatching(/^a log line holds the ours "data key"/),
    expect.stringMatching(/^the row PLANTED encoded holds the token "new token"/),
    expect.stringMatching(/^the row PLANTED packed holds the password/),
  ])
})
