import * as z from 'zod/mini'
import { openApiDocument } from '../../../openapi/document.ts'
import { isSchema } from '../../../openapi/schemas.ts'

const Schema = z.record(z.string(), z.unknown())
export type Schema = z.infer<typeof Schema>

const Content = z.optional(
  z.record(z.string(), z.object({ schema: z.optional(Schema), examples: z.optional(z.record(z.string(), Schema)) })),
)

const OperationObject = z.object({
  operationId: z.string(),
  summary: z.optional(z.string()),
  description: z.optional(z.string()),
  parameters: z.optional(
    z.array(
      z.object({
        name: z.optional(z.string()),
        in: z.optional(z.string()),
        required: z.optional(z.boolean()),
        description: z.optional(z.string()),
        schema: z.optional(Schema),
      }),
    ),
  ),
  requestBody: z.optional(z.object({ required: z.boolean(), content: Content })),
  responses: z.record(z.string(), z.object({ content: Content })),
})
export type OperationObject = z.infer<typeof OperationObject>

const Document = z.object({
  paths: z.record(z.string(), z.record(z.string(), OperationObject)),
  webhooks: z.record(z.string(), z.record(z.string(), z.omit(OperationObject, { responses: true }))),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

/** A schema for which a program may supply its type of a time instead of text. */
const withTimes = (node: unknown, timeType: string): unknown => {
  if (Array.isArray(node)) return node.map((each) => withTimes(each, timeType))
  if (!isSchema(node)) return node
  if (node['format'] !== 'date-time') {
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withTimes(value, timeType)]))
  }
  const { type, format: _, ...rest } = node
  return { ...rest, anyOf: [{ type }, { $ref: `#/${timeType}` }] }
}

const referencesIn = (node: unknown): string[] =>
  [...JSON.stringify(node ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)

/** The names of schemas that a part of the document refers to. */
const reachedFrom = (node: unknown, schemas: Readonly<Record<string, Schema>>): ReadonlySet<string> => {
  const reached = new Set(referencesIn(node))
  for (const name of reached) for (const next of referencesIn(schemas[name])) reached.add(next)
  return reached
}

/** What requests carry, with times as a program has them. Schemas that responses carry as well keep theirs. */
const withSentTimes = (document: z.infer<typeof Document>, timeType: string): z.infer<typeof Document> => {
  const { paths, webhooks, components } = document
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const received = reachedFrom([operations.map(({ responses }) => responses), webhooks], components.schemas)
  const sent = reachedFrom(
    operations.map(({ requestBody }) => requestBody),
    components.schemas,
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    sent.has(name) && !received.has(name) ? withTimes(schema, timeType) : schema,
  ])
  const withQuery = (operation: OperationObject): OperationObject => ({
    ...operation,
    parameters: withTimes(operation.parameters, timeType) as OperationObject['parameters'],
  })
  const changed = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, withQuery(operation)])),
  ])
  return { paths: Object.fromEntries(changed), webhooks, components: { schemas: Object.fromEntries(schemas) } }
}

/** The OpenAPI document as the client generators read it; `timeType` is the type in which a program may pass a time. */
export const readDocument = (timeType: string) => {
  const document = z.parse(Document, JSON.parse(JSON.stringify(openApiDocument())))
  const { paths, webhooks, components } = withSentTimes(document, timeType)
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  // The client removes the envelopes.
  const { Success: _s, Error: _e, FieldIssue: _f, SubscriptionRequired: _r, ...schemas } = components.schemas
  return { operations: new Map(operations.map((each) => [each.operationId, each])), webhooks, schemas }
}

export type ReadOperation = OperationObject & { method: string; path: string }

/** The schema of the JSON content. */
export const jsonSchemaOf = (content: z.infer<typeof Content>): Schema | undefined =>
  content?.['application/json']?.schema

/** The schema of an operation's result, without the envelope; undefined for a raw response. */
export const dataSchemaOf = ({ responses }: OperationObject): Schema | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const envelope = z.safeParse(
    z.object({ allOf: z.array(z.object({ properties: z.optional(z.object({ data: Schema })) })) }),
    jsonSchemaOf(success?.content),
  )
  return envelope.data?.allOf.find(({ properties }) => properties !== undefined)?.properties?.data
}
