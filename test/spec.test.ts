import { expect, test } from 'vitest'
import { routes } from '../functions/routes.ts'
import type { Access } from '../shared/access/access.ts'
import type { Contract } from '../shared/http/contract.ts'
import { routes as specified } from './spec/routes.mjs'

/** What the specification names and we do not have yet; whoever builds one takes it out of here. */
const toCome = [
  'GET /api/notifications/status',
  'GET /api/notifications/devices',
  'DELETE /api/notifications/devices/{id}',
  'POST /api/notifications/test',
  'POST /api/user/devices',
]

const addressOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** A contract in the words of the specification's table. */
const specify = ({ method, path, status, access }: Contract<Access>) => ({
  method,
  path,
  scope: access.kind === 'anyone' ? 'public' : access.scope,
  status,
  workspace: access.kind === 'workspace',
  role: access.kind === 'workspace' ? access.role : 'member',
  plan: access.kind === 'workspace' && access.plan,
})

const ours = new Map(routes.map(({ endpoint }) => [addressOf(endpoint.contract), specify(endpoint.contract)]))

test('every route of the specification that is not planned for later exists as specified', () => {
  const due = specified.filter((route) => !toCome.includes(addressOf(route)))
  expect(due.length).toBeGreaterThan(30)
  expect(due.map((route) => ours.get(addressOf(route)) ?? `${addressOf(route)} is missing`)).toEqual(due)
})

test('routes planned for later are specified and do not exist yet', () => {
  const known = specified.map(addressOf)
  expect(toCome.filter((address) => !known.includes(address))).toEqual([])
  expect(toCome.filter((address) => ours.has(address))).toEqual([])
})
