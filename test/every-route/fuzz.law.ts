import { env } from 'node:process'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages, type Route, routes } from '../../functions/routes.ts'
import { expectSound } from '../journeys/invariants.ts'
import { type Kit, start } from '../support/start.ts'
import { isFull } from '../support/thin.ts'
import type { Call } from '../support/world/ask.ts'
import { faultIn, faultInPage } from '../support/world/fuzz/faults.ts'
import { type GoodVisit, requestsToPage } from '../support/world/fuzz/forms.ts'
import { goodVisit } from '../support/world/fuzz/good-visit.ts'
import { type FuzzedRequest, requestsTo } from '../support/world/fuzz/requests.ts'
import { isScript } from '../support/world/fuzz/scripts.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { inLanes } from '../support/world/lanes.ts'
import { uncounted } from '../support/world/uncounted.ts'
import { openWire, type Received, type Wire } from '../support/world/wire.ts'

const maxRuns = Number(env['FUZZ_RUNS'] ?? (isFull ? 200 : 8))
/** The same for every run, so that a change that is red is red by itself; another one looks elsewhere. */
const seed = Number(env['FUZZ_SEED'] ?? 1)

const takesInput = ({ endpoint: { contract } }: Route) => Boolean(contract.params ?? contract.query ?? contract.body)
const fuzzed = routes.filter(takesInput)

/** Paths and queries have fewer ways to go wrong than bodies. */
const shareOf = ({ endpoint }: Route) => (endpoint.contract.body === undefined ? 0.25 : 1)

let kit: Kit
let wire: Wire
const goodCalls = new Map<Route, Call>()
const goodVisits = new Map<string, GoodVisit>()

beforeAll(async () => {
  kit = await start({ rateLimits: uncounted })
  wire = openWire(kit.url)
  for (const { operation } of pages) goodVisits.set(operation, await goodVisit(operation, kit))
  for (const route of fuzzed) goodCalls.set(route, await happyCall(route, kit))
}, 240_000)
afterAll(async () => {
  wire.close()
  await kit.close()
})

type FaultOf = (received: Received, request: FuzzedRequest) => string | undefined

const shown = ({ method, path, headers, body }: FuzzedRequest['sent']) => {
  const text = body === undefined ? '' : JSON.stringify(typeof body === 'string' ? body : [...body])
  return `${method} ${path} ${JSON.stringify(headers)} ${text.length > 1_500 ? `${text.slice(0, 1_500)}… (${text.length})` : text}`
}

/** Sends requests until one is answered as none may be; returns a line for it. */
const fuzz = async (
  name: string,
  share: number,
  requests: fc.Arbitrary<FuzzedRequest>,
  faultOf: FaultOf,
): Promise<string[]> => {
  let last = ''
  const holds = fc.asyncProperty(requests, async (request) => {
    const received = await wire.send(request.sent).catch((error: unknown) => String(error))
    const fault = typeof received === 'string' ? received : faultOf(received, request)
    if (fault === undefined) return true
    const detail = typeof received === 'string' ? '' : `: ${received.status} ${received.text.slice(0, 300)}`
    last = `${fault}${detail}\n  to ${shown(request.sent)}`
    return false
  })
  const { failed } = await fc.check(holds, { numRuns: Math.ceil(maxRuns * share), seed })
  return failed ? [`${name} ${last} (FUZZ_SEED=${seed})`] : []
}

test('random input never makes a route fail, leave the envelope, or accept invalid data', async () => {
  const lines = await inLanes(fuzzed, 16, (route) => {
    const requests = requestsTo(route, goodCalls.get(route) ?? {}, kit.clock.now())
    return fuzz(route.operation, shareOf(route), requests, (received, { mustRefuse }) =>
      faultIn(route, received, mustRefuse),
    )
  })
  expect(lines.flat()).toEqual([])
}, 240_000)

test('random input never makes a page fail, redirect elsewhere, or render the input as markup', async () => {
  const visits = [...goodVisits].filter(([operation]) => !isScript(operation))
  const lines = await inLanes(visits, 8, ([operation, good]) => {
    const requests = requestsToPage(good).map((sent) => ({ sent, mustRefuse: undefined }))
    return fuzz(operation, 0.3, requests, faultInPage)
  })
  expect(lines.flat()).toEqual([])
}, 240_000)

test('no request leaves incomplete work behind', async () => {
  await kit.service.drain()
  await expectSound(kit)
  expect([...kit.denied]).toEqual([])
})
