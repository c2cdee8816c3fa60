import type { Route } from '../../functions/routes.ts'
import type { Access } from '../../shared/access/access.ts'
import { limitNameOf } from '../../shared/access/rate-limit.ts'
import { catalog } from '../../shared/errors/catalog.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { SignedIn } from '../../shared/identity/session.ts'
import { specifiedLimits } from '../../shared/limits/limits.ts'
import { errorAnswersOf } from './error-answers.ts'
import { takesIdempotencyKey } from './errors-of.ts'
import { requestExamples, responseExamples } from './examples.ts'
import { codeSamples } from './samples.ts'
import type { Schema, SchemaOf } from './schemas.ts'

const parameter = (name: string) => ({ $ref: `#/components/parameters/${name}` })

const membersOf = (schema: Schema, location: 'path' | 'query') => {
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : [])
  return Object.entries(schema['properties'] ?? {}).map(([name, { description, ...member }]) => ({
    name,
    in: location,
    required: location === 'path' || required.has(name),
    description,
    schema: member,
  }))
}

const parametersOf = (contract: Contract<Access>, schemaOf: SchemaOf) => [
  ...(contract.params ? membersOf(schemaOf(contract.params, 'input'), 'path') : []),
  ...(contract.query ? membersOf(schemaOf(contract.query, 'input'), 'query') : []),
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
    [
      'X-Request-Id',
      ...(contract.etag ? ['ETag'] : []),
      ...(takesIdempotencyKey(contract) ? ['Idempotency-Replayed'] : []),
      ...(contract.data === SignedIn ? ['set-auth-token'] : []),
      ...(limitNameOf(contract) === 'none' ? [] : limitHeaders),
    ].map(header),
  )

const descriptions: Readonly<Record<Contract['status'], string>> = {
  200: 'The request succeeded.',
  201: 'The object was created.',
  202: 'The request was accepted. The work continues after the response.',
  303: 'The address to continue at is in the header `Location`.',
}

const notModified = {
  description: 'The object has not changed since the `ETag` in `If-None-Match` was read. The response has no body.',
  headers: Object.fromEntries(['X-Request-Id', 'ETag'].map(header)),
}

const success = ({ operation, endpoint: { contract } }: Route, schemaOf: SchemaOf) => {
  const description = descriptions[contract.status]
  // A route without a schema has a raw response: a document, a page, a script.
  if (contract.data === undefined) {
    return contract.status === 303
      ? { description, headers: Object.fromEntries([header('Location')]) }
      : { description: 'The content itself, without the JSON envelope.' }
  }
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Success' },
      {
        type: 'object',
        required: ['success', 'data'],
        properties: { data: { description: 'What the operation returns.', ...schemaOf(contract.data, 'output') } },
      },
    ],
  }
  return {
    description,
    headers: answerHeaders(contract),
    content: { 'application/json': { schema, examples: responseExamples(operation) } },
  }
}

const roles = { owner: ' of the owner', admin: ' of an owner or admin', member: '' } as const

/** The scopes, one of which a token needs. */
const scopesOf = (access: Access) =>
  access.kind === 'anyone'
    ? []
    : [access.scope, access.kind === 'workspace' ? access.orScope : null].filter((name) => name != null)

const who = (access: Access): string => {
  if (access.kind === 'anyone') return 'Needs no token.'
  const role = access.kind === 'workspace' ? roles[access.role] : ''
  const names = scopesOf(access).map((name) => `\`${name}\``)
  return names.length === 0
    ? `Needs a session${role}.`
    : `Needs a session${role} or the scope ${names.join(' or ')}${role && ' and that role'}.`
}

const howOften = (contract: Contract<Access>): string => {
  const name = limitNameOf(contract)
  if (name === 'none') return 'Is not counted against a rate limit.'
  const { calls, perSeconds } = specifiedLimits[name]
  return `Counts against the rate limit \`${name}\`: about ${calls} calls in ${perSeconds} seconds.`
}

/** One requirement for each scope that is enough (OpenAPI 3.1, "Security Requirement Object"). */
const requirementsOf = (access: Access) => {
  const workspace = access.kind === 'workspace' ? { workspace: [] } : {}
  const names = scopesOf(access)
  return names.length === 0 ? [{ bearer: [], ...workspace }] : names.map((name) => ({ bearer: [name], ...workspace }))
}

/** Bodies that are sent as bytes (OpenAPI 3.1, "Considerations for File Uploads"). */
const binaryContent = ({ binary }: Contract<Access>) =>
  Object.fromEntries((binary?.types ?? []).map((type) => [type, {}]))

/** One operation of the document, from the contract of its route. */
export const operationOf = (route: Route, schemaOf: SchemaOf) => {
  const { operation, group, endpoint } = route
  const contract = endpoint.contract
  const { access, summary, description, body } = contract
  const samples = codeSamples(route)

  return {
    operationId: operation,
    tags: [group],
    summary,
    description: [description, who(access), howOften(contract)].filter(Boolean).join('\n\n'),
    security: access.kind === 'anyone' ? [] : requirementsOf(access),
    parameters: parametersOf(contract, schemaOf),
    ...(body
      ? {
          requestBody: {
            required: contract.bodyOptional !== true,
            content: {
              'application/json': { schema: schemaOf(body, 'input'), examples: requestExamples(operation) },
              ...binaryContent(contract),
            },
          },
        }
      : {}),
    responses: {
      [contract.status]: success(route, schemaOf),
      ...(contract.etag && contract.method === 'GET' ? { 304: notModified } : {}),
      ...errorAnswersOf(contract),
    },
    ...(samples.length === 0 ? {} : { 'x-codeSamples': samples }),
  }
}
