import { expect, test } from 'vitest'
import { routes } from '../../functions/routes.ts'
import { openApiDocument } from '../../infra/openapi/document.ts'
import { platformViews } from '../../infra/openapi/platforms.ts'
import { signedHeaders } from '../../shared/webhooks/deliveries/signature.ts'
import { undescribed } from './undescribed.ts'

const document = JSON.parse(JSON.stringify(openApiDocument()))

test('every field, parameter, header, response, operation, and group of the reference has a description', () => {
  expect(undescribed(document)).toEqual([])
})

test('a missing description is found anywhere in the document', () => {
  const documented = { description: 'Two words.' }
  const bare = { type: 'object', ...documented, properties: { name: { type: 'string' } } }
  const undocumented = undescribed({
    tags: [{ name: 'posts' }],
    paths: {
      '/a': {
        get: {
          parameters: [{ name: 'limit', schema: { description: 'Not here.' } }],
          requestBody: { content: { 'application/json': { schema: { items: bare } } } },
          responses: { 200: { content: { 'application/json': { schema: { allOf: [bare] } } } } },
        },
      },
    },
    webhooks: { 'post.done': { post: { ...documented, parameters: [], responses: { '2XX': {} } } } },
    components: {
      schemas: {
        A: bare,
        B: { ...documented, properties: { a: { $ref: '#/components/schemas/A' } } },
        C: { description: 'Id' },
      },
      headers: { ETag: {} },
      responses: { gone: { ...documented, content: { 'application/json': { schema: bare } } } },
    },
  })
  expect(undocumented).toEqual([
    'A.name',
    'C',
    'ETag',
    'gone.name',
    'get /a',
    'get /a parameter limit',
    'get /a body[].name',
    'get /a 200',
    'get /a 200.name',
    'post post.done 2XX',
    'tag posts',
  ])
})

test('every operation has its own description of what happens', () => {
  const silent = routes.filter(({ endpoint }) => !/\S \S+.*[.:|`)]$/s.test(endpoint.contract.description ?? ''))
  expect(silent.map(({ operation }) => operation)).toEqual([])
})

test('the headers of a delivery are those that the reference describes', () => {
  const sent = signedHeaders({
    event: { id: 'evt_1' },
    deliveryId: 'dlv_1',
    attempt: 1,
    correlationId: 'a',
    timestamp: 1,
    rawBody: '{}',
    secret: 'whsec_AAAA',
    previous: ['whsec_BBBB'],
  })
  const { parameters } = document.webhooks['post.published'].post
  const described = parameters.map(({ name }: { name: string }) => name)
  expect(['Content-Type', 'User-Agent', ...described].sort()).toEqual(Object.keys(sent).sort())
})

test('the metadata of a request is typed by platform, as the rules of the platforms have it', () => {
  const { schemas } = document.components
  const metadata = (name: string) => schemas[name].properties.metadata.$ref
  for (const name of ['SchedulePostRequest', 'PublishPostRequest', 'ValidatePostRequest', 'ReschedulePostRequest']) {
    expect(metadata(name), name).toBe('#/components/schemas/PostMetadata')
  }
  const blocks = platformViews().filter((platform) => platform.metadata !== undefined)
  expect(blocks.length).toBeGreaterThan(6)
  expect(Object.keys(schemas.PostMetadata.properties).sort()).toEqual(blocks.map(({ id }) => id).sort())
  for (const { id, name, metadata } of blocks) {
    const { properties, required } = schemas[`${name}Metadata`]
    expect(Object.keys(properties), id).toEqual(Object.keys(metadata?.schema['properties'] ?? {}))
    expect(required, id).toEqual(metadata?.schema['required'])
    expect(Object.keys(schemas.DraftMetadata.properties[id].properties), id).toEqual(Object.keys(properties))
    expect(schemas.DraftMetadata.properties[id], id).not.toHaveProperty('required')
  }
})
