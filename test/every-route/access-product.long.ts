import { afterAll, beforeAll, expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { countKeys } from '../../shared/resources.ts'
import { type Kit, start } from '../support/start.ts'
import { makeCallers } from '../support/world/access/callers.ts'
import { type Cell, cellsOf } from '../support/world/access/cells.ts'
import { inLanes } from '../support/world/lanes.ts'
import { scanTable } from '../support/world/rows.ts'
import { uncounted } from '../support/world/uncounted.ts'
import { openWire, type Received, type Wire } from '../support/world/wire.ts'

let kit: Kit
let wire: Wire
let cells: readonly Cell[]

beforeAll(async () => {
  kit = await start({ rateLimits: uncounted })
  wire = openWire(kit.url)
  const callers = await makeCallers(kit)
  cells = routes.flatMap((route) => cellsOf(route, callers))
}, 240_000)
afterAll(async () => {
  wire.close()
  await kit.close()
})

/** Behind the gate such a call is refused for its input immediately, so that one which may pass changes nothing. */
const unknownParameter = 'isPastTheGate=1'
const refusedInput = ['invalid_input', 'body_required']

const call = ({ route, caller: { token }, header }: Cell) => {
  const { method, path } = route.endpoint.contract
  return wire.send({
    method,
    path: `${path.replaceAll(/\{\w+\}/g, header?.id ?? 'any')}?${unknownParameter}`,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(header === undefined ? {} : { 'X-Workspace-Id': header.id }),
    },
  })
}

const outcomeIn = ({ status, text }: Received, { route }: Cell): string => {
  // Routes that return a page or a document to any caller have no gate.
  if (status === 200 && route.endpoint.contract.data === undefined) return 'past'
  const { code } = JSON.parse(text)
  return status === 400 && refusedInput.includes(code) ? 'past' : `${status} ${code}`
}

const describeCell = ({ route, caller, header, expected, got }: Cell & { got: string }) =>
  `${route.operation} for ${caller.name} in ${header?.id ?? 'no workspace'}: ${got} instead of ${expected}`

/** All rows but those that record a call. */
const lastingRows = async () => (await scanTable(kit)).filter(({ PK }) => !String(PK).startsWith(countKeys))

test('every caller has access exactly where the access table allows it', async () => {
  expect(cells.length).toBeGreaterThan(5_000)
  const before = await lastingRows()
  const wrong = await inLanes(cells, 24, async (cell) => {
    const got = outcomeIn(await call(cell), cell)
    return got === cell.expected ? [] : [{ ...cell, got }]
  })
  // A few of each route are enough.
  const byRoute = [...Map.groupBy(wrong.flat(), ({ route }) => route).values()]
  expect(byRoute.flatMap((wrongCells) => wrongCells.slice(0, 5).map(describeCell))).toEqual([])
  expect(await lastingRows()).toEqual(before)
}, 240_000)

test('every outcome appears in the table, and every route has callers with access', () => {
  const outcomes = Map.groupBy(cells, ({ expected }) => expected)
  expect([...outcomes.keys()].sort()).toEqual([
    '400 workspace_required',
    '401 unauthenticated',
    '402 subscription_required',
    '403 insufficient_role',
    '403 insufficient_scope',
    '403 membership_suspended',
    '403 not_a_member',
    '403 session_required',
    'past',
  ])
  const entered = new Set(outcomes.get('past')?.map(({ route }) => route.operation))
  expect(routes.map(({ operation }) => operation).filter((operation) => !entered.has(operation))).toEqual([])
})

/** The sign-in routes, and public reads; a route that needs no token must be listed here on purpose. */
const openToAnyone = [
  'auth.requestPasswordReset',
  'auth.resendVerification',
  'auth.resetPassword',
  'auth.signIn',
  'auth.signUp',
  'auth.verifyEmail',
  'billing.stripeWebhook',
  'cli.pollDeviceLogin',
  'cli.startDeviceLogin',
  'meta.docs',
  'meta.docsViewer',
  'meta.errorCode',
  'meta.guide',
  'meta.health',
  'meta.llms',
  'meta.llmsFull',
  'meta.openapi',
  'platforms.list',
  'socialAccounts.callback',
  'socialAccounts.serverCallback',
  'workspaces.downloadExport',
]

test('only the routes that are meant to be public are public', () => {
  const open = routes.filter(({ endpoint }) => endpoint.contract.access.kind === 'anyone')
  expect(open.map(({ operation }) => operation).sort()).toEqual(openToAnyone)
})
