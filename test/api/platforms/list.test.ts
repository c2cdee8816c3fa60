import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { openApiDocument } from '../../../infra/openapi/document.ts'
import { definitionOf, definitions } from '../../../shared/platforms/definitions.ts'
import type { PlatformForm } from '../../../shared/platforms/form.ts'
import { PlatformView } from '../../../shared/platforms/platform-view.ts'
import { platformIds } from '../../../shared/resources.ts'
import { type Kit, start } from '../../support/start.ts'

let kit: Kit
let platforms: PlatformView[]
let answer: Response
beforeAll(async () => {
  kit = await start()
  answer = await fetch(`${kit.url}/api/platforms`)
  const { data } = z.parse(z.object({ success: z.literal(true), data: z.array(PlatformView) }), await answer.json())
  platforms = data
})
afterAll(() => kit.close())

const viewOf = (id: string): PlatformView => {
  const listed = platforms.find((platform) => platform.id === id)
  if (listed === undefined) throw new Error(`there is no ${id}`)
  return listed
}

test('the list is public and cacheable', () => {
  expect(answer.status).toBe(200)
  expect(answer.headers.get('Cache-Control')).toBe('public, max-age=3600')
  expect(answer.headers.get('Content-Type')).toMatch(/^application\/json/)
})

test('lists every platform in the order of the specification', () => {
  const built = new Set<string>(definitions.map(({ id }) => id))
  expect(platforms.map(({ id }) => id)).toEqual(platformIds.filter((id) => built.has(id)))
  expect(platforms.length).toBeGreaterThanOrEqual(2)
})

test('the client has the route', async () => {
  expect(await kit.api.platforms.list()).toEqual(platforms)
})

test.each(
  definitions.map((definition) => [definition.name, definition] as const),
)('the rules of %s match the validation', (_, { id, rules, comment, threads }) => {
  const view = viewOf(id)
  const { connect } = definitionOf(id)
  expect(view.connectedBy).toBe(connect === 'oauth' ? 'browser' : (connect.by ?? 'app password'))
  const data = JSON.parse(
    JSON.stringify({ measures: rules.measures, media: rules.media, files: rules.assetFields ?? {} }),
  )
  expect({ measures: view.text.measures, media: view.media, files: view.assetFields }).toEqual(data)
  expect(view.text).toMatchObject({ empty: rules.emptyText, ...(rules.textField ? { field: rules.textField } : {}) })
  expect(view.hashtags).toEqual(rules.hashtags)
  expect(view.rules).toEqual((rules.others ?? []).map(({ says, source }) => ({ says, source })))
  expect(view.metadata?.required).toBe(rules.metadata?.required)
  const ofComment = comment && {
    measures: comment.measures,
    except: comment.except?.map(({ says }) => ({ says })),
    source: comment.source,
  }
  expect(view.comment).toEqual(ofComment && JSON.parse(JSON.stringify(ofComment)))
  expect(view.threads).toEqual(threads && { source: threads.source })
  for (const says of view.rules.map((rule) => rule.says)) expect(says).toMatch(/\.$/)
})

test('each rule names its source', () => {
  for (const { id, text, media, hashtags, metadata, rules, comment, threads } of platforms) {
    const single = [hashtags, metadata, comment, threads].flatMap((rule) => rule ?? [])
    const all = [...text.measures, ...media, ...rules, ...(comment?.measures ?? []), ...single]
    expect(all.length, id).toBeGreaterThan(1)
    for (const { source } of all) expect(source, id).toMatch(/of this service|20\d\d/)
  }
})

test('metadata is a JSON Schema that validates a block', () => {
  const { metadata } = viewOf('discord')
  const check = new Ajv2020({ validateFormats: false }).compile(metadata?.schema ?? {})
  expect(metadata?.required).toBe(true)
  expect(check({ channelId: '1300000000000000101' })).toBe(true)
  expect(check({ channelId: '1300000000000000101', more: 'is kept' })).toBe(true)
  for (const wrong of [{}, { channelId: 13 }, { channelId: 'general' }, 'general', null])
    expect(check(wrong)).toBe(false)
  for (const { id, metadata: block } of platforms) {
    if (block)
      expect(() => new Ajv2020({ strict: false, validateFormats: false }).compile(block.schema), id).not.toThrow()
  }
})

type Fields = Readonly<Record<string, Schema>>
interface Schema {
  enum?: readonly string[]
  properties?: Fields
  items?: Schema
}

/** What a form and its schema disagree on: a field of one alone, a value without a label, a label like a field name. */
const faultsOf = (path: string, { properties = {} }: Schema, form: PlatformForm): string[] =>
  [...new Set([...Object.keys(properties), ...Object.keys(form)])].flatMap((name) => {
    const [schema, field, at] = [properties[name], form[name], `${path}.${name}`]
    if (schema === undefined || field === undefined) return [`${at}: in the schema or the form alone`]
    if (field === 'hidden') return []
    const { label, choices, fields } = field
    const values = schema.enum ?? schema.items?.enum ?? []
    return [
      ...(/^[A-Z][^_]*$/.test(label) && !/[a-z][A-Z]/.test(label) ? [] : [`${at}: ${label}`]),
      ...values.filter((value) => choices?.[value] === undefined).map((value) => `${at}: no label for ${value}`),
      ...faultsOf(at, schema.items ?? schema, fields ?? {}),
    ]
  })

test('people can fill in each field: the form has its label, and a label for each value', () => {
  expect(faultsOf('x', { properties: { a: { enum: ['b'] } } }, { a: { label: 'isA' }, c: 'hidden' })).toHaveLength(3)
  for (const { id, metadata } of platforms) {
    if (metadata !== undefined) expect(faultsOf(id, metadata.schema, metadata.form as PlatformForm)).toEqual([])
  }
})

test('the OpenAPI document has a valid example', () => {
  const Example = z.object({
    components: z.object({ schemas: z.object({ Platform: z.object({ examples: z.array(z.unknown()) }) }) }),
  })
  const { components } = z.parse(Example, JSON.parse(JSON.stringify(openApiDocument())))
  const [example] = components.schemas.Platform.examples.map((each) => z.parse(PlatformView, each))
  // A list in an example is no longer than two.
  expect(example).toEqual({ ...viewOf('x'), rules: viewOf('x').rules.slice(0, 2) })
})
