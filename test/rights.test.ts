import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { everyRoute, workerTable } from '../functions/routes.ts'
import type { FunctionEffect, ObserveFunction } from '../infra/local/service/invocation.ts'
import { needsOf, type Right, rightsOf } from '../infra/stacks/rights.ts'
import { put } from '../shared/db/table.ts'
import { outbox } from '../shared/events/outbox.ts'
import { eventTypes } from '../shared/events/types.ts'
import type { Need, Variable } from '../shared/resources.ts'
import { expectAsDocumented } from './journeys/event-contract.ts'
import { type Loss, walkEverywhere } from './laws/journey.ts'
import { password } from './laws/preparations.ts'
import { rightsTaken } from './laws/rights-of-effects.ts'
import { scanTable } from './laws/rows.ts'
import { collectSecrets } from './laws/secrets/collect.ts'
import { findLeaks } from './laws/secrets/leaks.ts'
import { recordTraffic } from './laws/secrets/traffic.ts'
import { type Kit, start } from './support/start.ts'

/** Every function and what it says it needs. */
const needsByFunction = new Map<string, readonly Need[]>([
  ...everyRoute.map(({ name, endpoint }) => [name, needsOf(endpoint.contract)] as const),
  ...workerTable.map(({ name, worker }) => [name, worker.definition.needs] as const),
])

/** Needs that no journey shows, and why they are there. */
const unseen: readonly { functionName: string; need: Need; reason: string }[] = []

const effects = new Map<string, FunctionEffect>()
const variablesRead = new Set<string>()
let kit: Kit | undefined
let losses: readonly Loss[] = []
const results: unknown[] = []
const traffic = recordTraffic()

const observe: ObserveFunction = async (effect, run) => {
  effects.set(JSON.stringify(effect), effect)
  const { functionName, service, resource } = effect
  const lost = service === 'sqs' && losses.some((loss) => loss.functionName === functionName && loss.queue === resource)
  if (lost) throw new Error('lost on the way to the queue')
  const result = await run()
  if (service !== 'dynamodb') results.push(result)
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
  kit = await start({ observe, memorySearch: 'hybrid', keepExpired: true })
  watchVariables(kit)
  const losing = async (some: readonly Loss[], step: () => Promise<unknown>) => {
    losses = some
    await step()
    losses = []
  }
  await walkEverywhere({ kit, losing })
}, 240_000)
afterAll(async () => {
  traffic.stop()
  await kit?.close()
})

/** What functions did, with the rights it took; the kit itself acts as the operator, who has no role. */
const taken = () =>
  [...effects.values()]
    .filter(({ functionName }) => functionName !== 'operator')
    .map((effect) => ({ ...effect, rights: rightsTaken(effect, (name) => kit?.ctx.env(name) ?? '') }))

const overlap = (some: readonly Right[], others: readonly Right[]) =>
  some.some(({ resource, actions }) =>
    others.some((other) => other.resource === resource && other.actions.some((action) => actions.includes(action))),
  )

test('every function does only what its role allows', () => {
  const seen = taken()
  expect(new Set(seen.map(({ functionName }) => functionName)).size).toBeGreaterThan(needsByFunction.size - 8)
  const beyond = seen.flatMap(({ functionName, service, action, resource, rights }) => {
    const granted = rightsOf(needsByFunction.get(functionName) ?? [])
    const isGranted = (target: string, act: string) =>
      granted.some((right) => right.resource === target && right.actions.includes(act))
    const lacking = rights.flatMap(({ resource: target, actions }) =>
      actions.filter((act) => !isGranted(target, act)).map((act) => `${act} on ${target}`),
    )
    return lacking.map((right) => `${functionName} did ${service} ${action} ${resource} without ${right}`)
  })
  expect(beyond).toEqual([])
})

/** Needs that grant a variable instead of a right. */
const variableOf: Partial<Record<Need, Variable>> = { origins: 'ALLOWED_ORIGINS', files: 'FILES_FOLDER' }

test('every function uses every permission that it declares', () => {
  const seen = taken()
  const isUsed = (functionName: string, need: Need) => {
    const variable = variableOf[need]
    if (variable !== undefined) return variablesRead.has(`${functionName} ${variable}`)
    const own = seen.filter((one) => one.functionName === functionName)
    return own.some(({ rights }) => overlap(rights, rightsOf([need])))
  }
  const unused = [...needsByFunction].flatMap(([functionName, needs]) =>
    needs.filter((need) => !isUsed(functionName, need)).map((need) => `${functionName} never used ${need}`),
  )
  expect(unused).toEqual(unseen.map(({ functionName, need }) => `${functionName} never used ${need}`))
})

test('every event type was sent along the way, as documented', async () => {
  if (kit === undefined) throw new Error('nobody has walked')
  const events = (await scanTable(kit))
    .filter(({ type }) => type === 'Outbox')
    .flatMap((row) => outbox.parse(row).events)
    // Recorded by a preparation and not by the service.
    .filter(({ data }) => data['test'] !== true)
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(eventTypes))
  expectAsDocumented(events)
})

/** What the walk cannot have gone without. */
const secretsUsed = [
  ...['appPassword', 'bearer', 'new token', 'mailed token', 'deviceCode', 'userCode'],
  ...['form_key', 'code', 'state', 'signature', 'signing secret', 'accessJwt', 'refreshJwt', 'access_token'],
  ...['secret', 'recovery code'],
  ...['refresh_token', 'botToken', 'clientSecret', 'current', 'data key'],
]

test('no row, log line, email, or response contains a secret, except the response that returns it', async () => {
  if (kit === undefined) throw new Error('nobody has walked')
  const secrets = collectSecrets(kit, traffic.exchanged, results)
  expect(secretsUsed.filter((used) => !secrets.some(({ name }) => name === used))).toEqual([])
  expect(secrets.find(({ text }) => text === password)?.kind).toBe('password')
  expect(kit.logged.length).toBeGreaterThan(0)
  expect(await findLeaks(kit, secrets, traffic.exchanged)).toEqual([])
})

test('the scan detects a secret anywhere', async () => {
  if (kit === undefined) throw new Error('nobody has walked')
  const secrets = collectSecrets(kit, traffic.exchanged, results)
  const [key, handed] = [secrets.find(({ bytes }) => bytes), secrets.find(({ name }) => name === 'new token')]
  const answer = traffic.exchanged.find(({ answered }) => answered.includes(handed?.text ?? 'nobody'))
  if (!key?.bytes || !handed || !answer) throw new Error('the walk has used no key or token')
  await put(kit.ctx, { PK: 'PLANTED', SK: 'packed', answer: gzipSync(JSON.stringify({ password })) })
  await put(kit.ctx, { PK: 'PLANTED', SK: 'encoded', text: Buffer.from(`{"key":"${handed.text}"}`).toString('base64') })
  kit.ctx.log.info('planted', { key: Buffer.from(key.bytes).toString('hex') })
  const leaks = await findLeaks(kit, secrets, [...traffic.exchanged, answer])
  expect(leaks.sort()).toEqual([
    expect.stringMatching(/^2 answers .* hold the token "new token"/),
    expect.stringMatching(/^a log line holds the ours "data key"/),
    expect.stringMatching(/^the row PLANTED encoded holds the token "new token"/),
    expect.stringMatching(/^the row PLANTED packed holds the password/),
  ])
})
