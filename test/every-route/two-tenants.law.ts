import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Route, routes } from '../../functions/routes.ts'
import { type Kit, start } from '../support/start.ts'
import { everyNth } from '../support/thin.ts'
import { type Answer, type Call, callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { inLanes } from '../support/world/lanes.ts'
import { routesOf } from '../support/world/law.ts'
import { makeStepRecorder, tripsOf } from '../support/world/round-trips.ts'
import { scanTable } from '../support/world/rows.ts'
import { idsIn, isAbout, makeNeighbor, unlike } from '../support/world/tenants/neighbor.ts'
import { type IdLocation, idLocationsOf } from '../support/world/tenants/places.ts'
import { uncounted } from '../support/world/uncounted.ts'

const recorder = makeStepRecorder()
const goodCalls = new Map<Route, Call>()
let kit: Kit
let neighbor: Kit
let foreignIds: readonly string[]

beforeAll(async () => {
  kit = await start({ observe: recorder.observe, rateLimits: uncounted })
  neighbor = await makeNeighbor(kit)
  const rows = await scanTable(kit)
  const own = new Set(idsIn(rows.filter(isAbout(kit)), rows.length))
  foreignIds = idsIn(rows.filter(isAbout(neighbor)), 1).filter((id) => !own.has(id))
  for (const route of routes) goodCalls.set(route, await happyCall(route, kit))
}, 240_000)
afterAll(() => kit.close())

const goodCall = (route: Route): Call => {
  const good = goodCalls.get(route) ?? {}
  return good.token === kit.pat ? { ...good, token: kit.sessionToken } : good
}

interface Question {
  route: Route
  location: IdLocation
  id: string
}

interface ObservedAnswer extends Answer {
  trips: string
}

/** Calls each route once, concurrently, so that the work of each function can be distinguished. */
const callAll = async (
  questions: readonly Question[],
  idOf: (question: Question) => string,
): Promise<ObservedAnswer[]> => {
  let answers: Answer[] = []
  const steps = await recorder.during(async () => {
    answers = await Promise.all(
      questions.map((question) => {
        const { route, location } = question
        return callRoute(kit.url, route, location.put(goodCall(route), idOf(question)))
      }),
    )
  })
  return answers.map((answer, n) => ({ ...answer, trips: tripsOf(steps, questions[n]?.route.name ?? '') }))
}

/** The questions in rounds, each of which has at most one for a route. */
const roundsOf = (questions: readonly Question[]): Question[][] => {
  const byRoute = [...Map.groupBy(questions, ({ route }) => route).values()]
  const maxCalls = Math.max(...byRoute.map(({ length }) => length))
  return Array.from({ length: maxCalls }, (_, n) => byRoute.flatMap((own) => own.slice(n, n + 1)))
}

const isId = (text: string) => /^[\w.-]{1,100}$/.test(text)

/** What is wrong with the answer about an id of the neighbor's; the other one is about an id that nothing has. */
const findProblems = (
  { route, location, id }: Question,
  foreign: ObservedAnswer,
  unknown: ObservedAnswer,
): string[] => {
  const { method, path } = route.endpoint.contract
  const withoutId = (text: string, own: string) => text.replaceAll(own, '…')
  const mine = withoutId(foreign.text, id)
  const changes = method !== 'GET' && !path.endsWith('/validate')
  // Path and header must name the same workspace (design, decided).
  const ofWorkspace = path.startsWith('/api/workspaces/{id}') && location.name === 'id'
  const expected = ofWorkspace ? 403 : 404
  const isMissing = location.kind !== 'path' || !isId(id) || foreign.status === expected || location.name === 'server'
  return [
    ...(isMissing ? [] : [`answers ${foreign.status}`]),
    ...(changes && foreign.status < 400 ? ['does it'] : []),
    ...(foreign.status === unknown.status && mine === withoutId(unknown.text, unlike(id))
      ? []
      : [`tells it from one that is not there: ${foreign.text} / ${unknown.text}`]),
    ...(foreign.trips === unknown.trips ? [] : [`takes the trips ${foreign.trips} instead of ${unknown.trips}`]),
    ...(mine.includes(neighbor.workspaceId) || mine.includes(neighbor.user.id) ? ['names the neighbor'] : []),
  ]
}

/** What only a neighbor, and a person who is one, may see or change. */
const rowsOfNeighbor = async () => (await scanTable(kit)).filter(isAbout(neighbor))

test('an id of another workspace is treated as missing, in every parameter of every route', async () => {
  expect(foreignIds.length).toBeGreaterThan(20)
  const before = await rowsOfNeighbor()
  const questions = routes.flatMap((route) =>
    idLocationsOf(route).flatMap((location) => foreignIds.map((id) => ({ route, location, id }))),
  )
  expect(questions.length).toBeGreaterThan(800)
  const lines: string[] = []
  for (const round of roundsOf(everyNth(5, questions))) {
    const foreign = await callAll(round, ({ id }) => id)
    const unknown = await callAll(round, ({ id }) => unlike(id))
    for (const [n, question] of round.entries()) {
      const [one, other] = [foreign[n], unknown[n]]
      const faults = one && other ? findProblems(question, one, other) : ['has not answered']
      const { route, location, id } = question
      lines.push(
        ...faults.map((fault) => `${route.operation} with ${id} in the ${location.kind} as ${location.name} ${fault}`),
      )
    }
  }
  expect(lines.slice(0, 30)).toEqual([])
  expect(await rowsOfNeighbor()).toEqual(before)
}, 240_000)

test('another workspace in the header is rejected like a missing one', async () => {
  const before = await rowsOfNeighbor()
  const lines = await inLanes(routesOf('workspace'), 8, async (route) => {
    const inHeader = (workspaceId: string) => callRoute(kit.url, route, { ...goodCall(route), workspaceId })
    const foreign = await inHeader(neighbor.workspaceId)
    const unknown = await inHeader(unlike(neighbor.workspaceId))
    const isRefused = foreign.status === 403 && foreign.body?.['code'] === 'not_a_member'
    return isRefused && foreign.text === unknown.text ? [] : [`${route.operation}: ${foreign.text} / ${unknown.text}`]
  })
  expect(lines.flat()).toEqual([])
  expect(await rowsOfNeighbor()).toEqual(before)
})

test('lists and reads never return data of another workspace', async () => {
  // The others may not read the table; in the page of the reference, any four characters occur.
  const reading = routes.filter(
    ({ endpoint: { contract } }) => contract.method === 'GET' && contract.needs.includes('table:read'),
  )
  const lines = await inLanes(reading, 8, async (route) => {
    const { text } = await callRoute(kit.url, route, goodCall(route))
    return foreignIds.filter((id) => text.includes(id)).map((id) => `${route.operation} shows ${id}`)
  })
  expect(lines.flat()).toEqual([])
})
