import type { Route } from '../../functions/routes.ts'
import type { Access } from '../../shared/access/access.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { specifiedLimits } from '../../shared/limits/limits.ts'
import { errorAnswersOf } from './error-answers.ts'
import { takesIdempotencyKey } from './errors-of.ts'
import type { Schema, SchemaOf } from './schemas.ts'

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

const membersOf = (schema: Schema, place: 'path' | 'query') => {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties'] ?? {}).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path' || required.has(name),
    schema: member,
  }))
}

const parametersOf = (contract: Contract<Access>, schemaOf: SchemaOf) => [
  ...(contract.params ? membersOf(schemaOf(contract.params, 'input'), 'path') : []),
  ...(contract.query ? membersOf(schemaOf(contract.query, 'input'), 'query') : []),
  ...(contract.access.kind === 'workspace' ? [parameter('X-Workspace-Id')] : []),
  ...(takesIdempotencyKey(contract) ? [parameter('Idempotency-Key')] : []),
  ...(contract.errors.some((code) => catalog[code].reason === 'stale') ? [parameter('If-Match')] : []),
  ...(contract.etag && contract.method === 'GET' ? [parameter('If-None-Match')] : []),
  parameter('X-Request-Id'),
]

const header = (name: string) => [name, { $ref: `#/components/headers/${name}` }] as const
const limitHeaders = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  ...['RateLimit', 'RateLimit-Policy'],
]
const answerHeaders = (contract: Contract<Access>) =>
  Object.fromEntries(
    ['X-Request-Id', ...(contract.etag ? ['ETag'] : []), ...(limitNameOf(contract) === 'none' ? [] : limitHeaders)].map(
      header,
    ),
  )

const words: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Taken on; it is done behind the answer' }

const notModified = {
  description: 'What was read is the present state; no body',
  headers: Object.fromEntries(['X-Request-Id', 'ETag'].map(header)),
}

const success = (contract: Contract<Access>, schemaOf: SchemaOf) => {
  // A route without a schema answers raw: a document, a page, a script.
  if (contract.data === undefined) return { description: 'As it is, outside the envelope' }
  const data = schemaOf(contract.data, 'output')
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Success' },
      { type: 'object', required: ['success', 'data'], properties: { data } },
    ],
  }
  return {
    description: words[contract.status] ?? 'Done',
    headers: answerHeaders(contract),
    content: { 'application/json': { schema } },
  }
}

const roles = { owner: ' of the owner', admin: ' of an owner or admin', member: '' } as const

const who = (access: Access): string => {
  if (access.kind === 'anyone') return 'Needs no token.'
  const role = access.kind === 'workspace' ? roles[access.role] : ''
  return access.scope === null
    ? `Needs a session${role}.`
    : `Needs a session${role} or the scope \`${access.scope}\`${role && ' and that role'}.`
}

const howOften = (contract: Contract<Access>): string => {
  const name = limitNameOf(contract)
  if (name === 'none') return 'Is not counted against a rate limit.'
  const { calls, perSeconds } = specifiedLimits[name]
  return `Counts against the rate limit \`${name}\`: about ${calls} calls in ${perSeconds} seconds.`
}

/** One operation of the document, from the contract of its route. */
export const operationOf = ({ operation, group, endpoint }: Route, schemaOf: SchemaOf) => {
  const contract = endpoint.contract
  const { access, summary, description, body } = contract

  return {
    operationId: operation,
    tags: [group],
    summary,
    description: [description, who(access), howOften(contract)].filter(Boolean).join('\n\n'),
    security: access.kind === 'anyone' ? [] : [{ bearer: access.scope === null ? [] : [access.scope] }],
    parameters: parametersOf(contract, schemaOf),
    ...(body
      ? {
          requestBody: {
            required: contract.bodyOptional !== true,
            content: { 'application/json': { schema: schemaOf(body, 'input') } },
          },
        }
      : {}),
    responses: {
      [contract.status]: success(contract, schemaOf),
      ...(contract.etag && contract.method === 'GET' ? { 304: notModified } : {}),
      ...errorAnswersOf(contract),
    },
  }
}
