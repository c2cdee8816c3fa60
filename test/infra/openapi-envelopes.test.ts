import { expect, test } from 'vitest'
import { openApiDocument } from '../../infra/openapi/document.ts'

const { paths, components } = openApiDocument()

interface Operation {
  operationId: string
  responses: Record<string, { content?: Record<string, { schema?: { allOf?: { required?: string[] }[] } }> }>
}

const operations = Object.values(paths).flatMap((path) => Object.values(path)) as Operation[]

test('in a generated client, `data` of a success is never possibly undefined', () => {
  const envelopes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return status.startsWith('2') && schema ? [{ operationId, own: schema.allOf?.[1]?.required ?? [] }] : []
    }),
  )
  expect(envelopes.length).toBeGreaterThanOrEqual(90)
  for (const { operationId, own } of envelopes) expect(own, operationId).toEqual(['success', 'data'])
})

test('issues are typed: of a field, or of a post on a platform', () => {
  expect(components.schemas['Error']).toMatchObject({
    properties: {
      issues: {
        items: {
          anyOf: [{ $ref: '#/components/schemas/FieldIssue' }, { $ref: '#/components/schemas/ValidationIssue' }],
        },
      },
    },
  })
  for (const name of ['FieldIssue', 'ValidationIssue']) {
    expect(components.schemas[name], name).toMatchObject({
      properties: { field: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
    })
  }
})

test('every error describes the rate limit headers, and a 401 the authentication', () => {
  for (const [name, { headers }] of Object.entries<{ headers: object }>(components.responses)) {
    expect(Object.keys(headers), name).toEqual(expect.arrayContaining(['X-RateLimit-Limit', 'X-RateLimit-Remaining']))
  }
  expect(components.responses).toMatchObject({ unauthenticated: { headers: { 'WWW-Authenticate': {} } } })
})
