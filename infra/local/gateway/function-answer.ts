import * as z from 'zod/mini'
import type { GatewayAnswer } from './answer.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()])

/** What API Gateway accepts from a function; anything else is a 502. */
const ProxyResult = z.strictObject({
  statusCode: z.int().check(z.minimum(100), z.maximum(599)),
  headers: z.optional(z.record(z.string(), scalar)),
  multiValueHeaders: z.optional(z.record(z.string(), z.array(scalar))),
  body: z.optional(z.nullable(z.string())),
  isBase64Encoded: z.optional(z.boolean()),
})

/** A function's response as HTTP; undefined if it is malformed. */
export const readFunctionAnswer = (result: unknown): GatewayAnswer | undefined => {
  const parsed = ProxyResult.safeParse(result)
  if (!parsed.success) return undefined
  const { statusCode, headers = {}, multiValueHeaders = {}, body, isBase64Encoded } = parsed.data
  const single = Object.entries(headers).map(([name, value]) => [name, [String(value)]] as const)
  const multiple = Object.entries(multiValueHeaders).map(([name, values]) => [name, values.map(String)] as const)
  const all = Object.fromEntries([...single, ...multiple])
  const typed = Object.keys(all).some((name) => name.toLowerCase() === 'content-type')
  return {
    status: statusCode,
    headers: typed ? all : { ...all, 'Content-Type': 'application/json' },
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  }
}
