import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Route, routes } from '../../functions/routes.ts'
import { exampleOf, recordedFolder, requestExamples, responseExamples } from '../../infra/openapi/examples.ts'
import { type Kit, start } from '../support/start.ts'
import { type Answer, type Call, callRoute } from '../support/world/ask.ts'
import { settled } from './settle.ts'
import { shapeFaults } from './shape.ts'
import { mapTexts, replaceAll } from './values.ts'
import { prepare, type World } from './world.ts'

/** Writes the responses that lack or have another shape into infra/openapi/examples/recorded; `all` writes every one. */
const record = process.env['RECORD_EXAMPLES']

/** These take what no example can hold: a signature of Stripe, or the state of a login in a browser. */
const unexampled = new Set(['billing.stripeWebhook', 'socialAccounts.callback', 'socialAccounts.serverCallback'])

let kit: Kit
beforeAll(async () => {
  kit = await start({ startMs: Date.parse('2026-12-01T09:00:00Z'), platformApiEnds: {} })
})
afterAll(() => kit.close())

/** What is changed comes first, so that there is something to read. */
const inOrder = [...routes].sort(
  (a, b) => Number(a.endpoint.contract.method === 'GET') - Number(b.endpoint.contract.method === 'GET'),
)

const callOf = (route: Route, good: Call, world: World, body: unknown): Call => {
  if (unexampled.has(route.operation)) return good
  const here = (node: unknown) => mapTexts(node, (text) => replaceAll(text, world))
  const { params = {}, query = {} } = exampleOf(route.operation)
  const { body: _body, query: _query, ...caller } = good
  const asText = Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return {
    ...caller,
    params: here(params) as Record<string, string>,
    query: here(asText) as Record<string, string>,
    ...(body === undefined ? {} : { body: here(body) }),
  }
}

const responses = new Map<string, unknown>()

const faultsOf = (route: Route, name: string, answer: Answer, world: World): string[] => {
  const { status, data } = route.endpoint.contract
  if (answer.status !== status) return [`${name} answers ${answer.status}: ${answer.text.slice(0, 500)}`]
  // A body that is valid as JSON may still be a post that no platform takes.
  if (route.operation === 'posts.validate' && !answer.text.includes('"valid":true')) return [`${name}: ${answer.text}`]
  if (data === undefined || name !== 'example') return []
  const real = settled(answer.body?.['data'], world, kit)
  responses.set(route.operation, real)
  const known = responseExamples(route.operation)
  if (!('example' in known) && record !== undefined) return ['is recorded now']
  if (!('example' in known))
    return ['has no recorded response: run RECORD_EXAMPLES=1 npx vitest run test/openapi/examples.law.ts']
  return shapeFaults(known['example']?.value.data, real).map((fault) => `response: ${fault}`)
}

const writeAll = (changed: ReadonlySet<string>) => {
  mkdirSync(recordedFolder, { recursive: true })
  for (const group of new Set(routes.map(({ group }) => group))) {
    const own = routes.filter((route) => route.group === group && responses.has(route.operation))
    if (own.length === 0) continue
    const shown = own.map(({ operation }) => {
      const known = responseExamples(operation)['example']?.value.data
      const fresh = record === 'all' || changed.has(operation) || known === undefined
      return [operation, fresh ? responses.get(operation) : known]
    })
    writeFileSync(new URL(`${group}.json`, recordedFolder), `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`)
  }
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(recordedFolder)])
}

test('the service accepts every example, and its response has the shape of the recorded one', async () => {
  const faults: string[] = []
  const changed = new Set<string>()
  for (const route of inOrder) {
    const bodies = requestExamples(route.operation)
    const sent = Object.keys(bodies).length === 0 ? { example: { value: undefined } } : bodies
    for (const [name, { value }] of Object.entries(sent)) {
      const { good, world } = await prepare(route, kit)
      const problems = faultsOf(route, name, await callRoute(kit.url, route, callOf(route, good, world, value)), world)
      if (problems.length > 0) changed.add(route.operation)
      faults.push(...problems.map((fault) => `${route.operation} ${fault}`))
    }
  }
  if (record !== undefined) writeAll(changed)
  expect(faults.filter((fault) => !fault.endsWith(' is recorded now'))).toEqual([])
}, 120_000)

// A run that records has read the responses of before.
test.skipIf(record !== undefined)('each operation with a body has an example, and all examples parse', () => {
  for (const { operation, endpoint } of routes) {
    const { body, data, params } = endpoint.contract
    const bodies = Object.entries(requestExamples(operation))
    expect(bodies.length > 0, operation).toBe(body !== undefined)
    for (const [name, { value }] of body ? bodies : []) {
      expect(z.safeParse(body ?? z.never(), value), `${operation} ${name}`).toMatchObject({ success: true })
    }
    if (params) expect(z.safeParse(params, exampleOf(operation).params), operation).toMatchObject({ success: true })
    if (data === undefined) continue
    const shown = responseExamples(operation)['example']?.value.data
    const parsed = z.safeParse(data, shown)
    expect(parsed.error && z.prettifyError(parsed.error), operation).toBeUndefined()
    expect(parsed.data, operation).toEqual(shown)
  }
})
