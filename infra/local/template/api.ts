import * as z from 'zod/mini'
import type { Find } from './declared.ts'

const texts = z.record(z.string(), z.string())

const Handing = z.object({ type: z.literal('aws_proxy'), uri: z.string(), credentials: z.string() })
export type Handing = z.infer<typeof Handing>
const Mock = z.object({
  type: z.literal('mock'),
  passthroughBehavior: z.literal('never'),
  requestTemplates: texts,
  responses: z.record(
    z.string(),
    z.object({
      statusCode: z.string(),
      responseParameters: z._default(texts, {}),
      responseTemplates: z._default(texts, {}),
    }),
  ),
})
export type Mock = z.infer<typeof Mock>

const Integration = z.discriminatedUnion('type', [Handing, Mock])
export type Integration = z.infer<typeof Integration>

const GatewayResponse = z.object({
  statusCode: z.optional(z.string()),
  responseParameters: z._default(texts, {}),
  responseTemplates: z._default(texts, {}),
})
export type GatewayResponse = z.infer<typeof GatewayResponse>

const ApiShape = z.object({
  Body: z.object({
    paths: z.record(z.string(), z.record(z.string(), z.unknown())),
    'x-amazon-apigateway-gateway-responses': z._default(z.record(z.string(), GatewayResponse), {}),
    'x-amazon-apigateway-minimum-compression-size': z.optional(z.int()),
    'x-amazon-apigateway-binary-media-types': z._default(z.array(z.string()), []),
  }),
})

const Operation = z.object({ 'x-amazon-apigateway-integration': Integration })
const StageShape = z.object({ StageName: z.string() })
const methodNames = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'x-amazon-apigateway-any-method']

/** One path of the API with the integration of each method, by upper-case name; `ANY` stands for the rest. */
export interface PathPlan {
  path: string
  methods: ReadonlyMap<string, Integration>
}

/** The REST API as defined by its OpenAPI document. */
export interface ApiPlan {
  id: string
  stageName: string
  paths: readonly PathPlan[]
  gatewayResponses: Readonly<Record<string, GatewayResponse>>
  /** The minimum size in bytes of compressed responses; undefined if none is compressed. */
  minimumCompressionBytes: number | undefined
  /** The content types of bodies that reach functions in base64. */
  binaryTypes: readonly string[]
}

export const apiPlan = (find: Find): ApiPlan => {
  const [api, ...more] = find('AWS::ApiGateway::RestApi')
  const [stage] = find('AWS::ApiGateway::Stage')
  if (!api || !stage || more.length > 0) throw new Error('the app must have exactly one REST API with a stage')
  const { Body } = api.read(ApiShape)
  const paths = Object.entries(Body.paths).map(([path, item]) => {
    const operations = Object.entries(item).filter(([name]) => methodNames.includes(name))
    const methods = operations.map(([name, operation]) => {
      const method = name.startsWith('x-') ? 'ANY' : name.toUpperCase()
      return [method, z.parse(Operation, operation)['x-amazon-apigateway-integration']] as const
    })
    return { path, methods: new Map(methods) }
  })
  return {
    id: api.name,
    stageName: stage.read(StageShape).StageName,
    paths,
    gatewayResponses: Body['x-amazon-apigateway-gateway-responses'],
    minimumCompressionBytes: Body['x-amazon-apigateway-minimum-compression-size'],
    binaryTypes: Body['x-amazon-apigateway-binary-media-types'],
  }
}
