import { promisify } from 'node:util'
import { gunzip, gzip, inflate } from 'node:zlib'
import type { GatewayAnswer } from './answer.ts'
import { type GatewayRequest, headerOf } from './request.ts'

const decoders = { gzip: promisify(gunzip), deflate: promisify(inflate) }

/**
 * The body as the integration gets it: API Gateway decodes `gzip` and `deflate` where compression is enabled (API Gateway
 * guide, payload compression, read 2026-11-22). Undefined if it exceeds the maximum size; a body that cannot be decoded
 * stays unchanged.
 */
export const decoded = async (request: GatewayRequest, maxBytes: number): Promise<Buffer | undefined> => {
  const encoding = headerOf(request, 'Content-Encoding')?.trim().toLowerCase()
  if ((encoding !== 'gzip' && encoding !== 'deflate') || request.body.length === 0) return request.body
  try {
    return await decoders[encoding](request.body, { maxOutputLength: maxBytes })
  } catch (error) {
    return error instanceof RangeError ? undefined : request.body
  }
}

/** The compressed response, for a caller that accepts gzip, from the API's minimum size on. */
export const encoded = async (
  request: GatewayRequest,
  answer: GatewayAnswer,
  minimumBytes: number | undefined,
): Promise<GatewayAnswer> => {
  const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s*,|\s*$))/i.test(headerOf(request, 'Accept-Encoding') ?? '')
  if (minimumBytes === undefined || answer.body.length < minimumBytes || !takesGzip) return answer
  const body = await promisify(gzip)(answer.body)
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body }
}
