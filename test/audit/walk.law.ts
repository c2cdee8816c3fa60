import { afterAll, beforeAll, expect, test } from 'vitest'
import { pages, type Route, routes } from '../../functions/routes.ts'
import { extensionScopes } from '../../shared/identity/scope.ts'
import { type Kit, start } from '../support/start.ts'
import { callRoute } from '../support/world/ask.ts'
import { happyCall } from '../support/world/happy-calls.ts'
import { happyVisit } from '../support/world/page-visits.ts'
import { recorded, unrecorded } from './recorded.ts'
import { addedDuring } from './trail.ts'

let kit: Kit
beforeAll(async () => {
  kit = await start()
})
afterAll(() => kit.close())

/** Entries that are in the workspace of the call, say who called, and fit into one write unit. */
const entriesOf = async (route: Route) => {
  const call = await happyCall(route, kit)
  const headers = { ...call.headers, 'X-Request-Id': `walk-${route.name}`, 'User-Agent': 'walker/1.0' }
  const added = await addedDuring(kit, () => callRoute(kit.url, route, { ...call, headers }))
  const { access } = route.endpoint.contract
  for (const entry of added) {
    expect(entry.actor, route.operation).toEqual({
      userId: expect.stringMatching(/^\w{12}$/),
      credential:
        access.kind === 'anyone'
          ? { type: 'link', id: null }
          : { type: expect.stringMatching(/^(session|token)$/), id: expect.stringMatching(/^\w{8}(\w{8})?$/) },
      ip: expect.stringMatching(/127\.0\.0\.1$/),
      userAgent: 'walker/1.0',
      requestId: expect.stringMatching(/^[\w-]{15}=$/),
      clientRequestId: `walk-${route.name}`,
    })
    if (access.kind === 'workspace') expect(entry.workspaceId, route.operation).toBe(call.workspaceId)
  }
  return added.map(({ action }) => action)
}

test('each operation adds the entry of its change, with who, by what, from where, and which request', async () => {
  const recordedActions: Record<string, readonly string[]> = {}
  for (const route of routes) recordedActions[route.operation] = await entriesOf(route)
  for (const { operation } of pages) {
    const visit = await happyVisit(operation, kit)
    recordedActions[operation] = (await addedDuring(kit, visit)).map(({ action }) => action)
  }
  const operations = [...routes, ...pages].map(({ operation }) => operation)
  expect(recordedActions).toEqual(
    Object.fromEntries(operations.map((operation) => [operation, recorded[operation] ? [recorded[operation]] : []])),
  )
}, 180_000)

/** What changes something and can be called only with a session, or only by an owner or admin. */
const extensions: readonly string[] = extensionScopes

const isReserved = ({ operation, endpoint: { contract } }: Route) => {
  const { access, method } = contract
  if (method === 'GET') return false
  if (access.kind === 'anyone') return operation.startsWith('pages.') || operation.startsWith('auth.')
  const isExtension = extensions.some((scope) => scope === access.scope)
  return access.scope === null || isExtension || (access.kind === 'workspace' && access.role !== 'member')
}

test('every change that is reserved for sessions, owners, or admins is recorded, or listed with a reason', () => {
  const reserved = [...routes, ...pages].filter(isReserved).map(({ operation }) => operation)
  expect(reserved.length).toBeGreaterThan(40)
  expect(reserved.filter((operation) => !(operation in recorded)).sort()).toEqual(Object.keys(unrecorded).sort())
})
