import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import type { Access } from '../../shared/access/access.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { routes as specified } from './spec/routes.mjs'

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

test('every route of the specification exists as specified', () => {
  expect(specified.length).toBeGreaterThan(60)
  expect(specified.map((route) => ours.get(addressOf(route)) ?? `${addressOf(route)} is missing`)).toEqual(specified)
})
