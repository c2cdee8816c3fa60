import * as z from 'zod/mini'
import { openApiDocument } from '../../openapi/document.ts'

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

/** The OpenAPI document as the generators of clients read it. */
export const readDocument = () => {
  const { paths, webhooks, components } = z.parse(Document, JSON.parse(JSON.stringify(openApiDocument())))
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  )
  // The envelopes are what the client takes off.
  const { Success: _s, Error: _e, FieldIssue: _f, SubscriptionRequired: _r, ...schemas } = components.schemas
  return { operations: new Map(operations.map((each) => [each.operationId, each])), webhooks, schemas }
}

export type ReadOperation = OperationObject & { method: string; path: string }

/** The schema of the JSON content. */
export const jsonSchemaOf = (content: z.infer<typeof Content>): Schema | undefined =>
  content?.['application/json']?.schema

/** The schema of what an operation returns, without the envelope; undefined for a raw response. */
export const dataSchemaOf = ({ responses }: OperationObject): Schema | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  const envelope = z.safeParse(
    z.object({ allOf: z.array(z.object({ properties: z.optional(z.object({ data: Schema })) })) }),
    jsonSchemaOf(success?.content),
  )
  return envelope.data?.allOf.find(({ properties }) => properties !== undefined)?.properties?.data
}
