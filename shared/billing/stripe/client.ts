import Stripe from 'stripe'
import type { Context } from '../../context.ts'
import { OutboundError } from '../../net/outbound.ts'
import { send } from '../../net/send.ts'
import { stripeSecret } from './secret.ts'

type HttpClient = NonNullable<NonNullable<ConstructorParameters<typeof Stripe>[1]>['httpClient']>

/** More than any response that the service requests: a list of twenty subscriptions has about 200 KB. */
const maxBytes = 1024 * 1024

const responseOf = (status: number, headers: Record<string, string>, body: Uint8Array) => ({
  getStatusCode: () => status,
  getHeaders: () => headers,
  getRawResponse: () => ({}),
  toStream: () => {
    throw new Error('no route of Stripe that the service uses is a stream')
  },
  toJSON: async (): Promise<unknown> => JSON.parse(Buffer.from(body).toString('utf8')),
})

/** The errors that Stripe's library retries: it recognizes connection errors by their codes. */
const connectionError = ({ code, message }: OutboundError): Error =>
  code === 'timeout' ? Stripe.HttpClient.makeTimeoutError() : Object.assign(new Error(message), { code: 'ECONNFAILED' })

/** The operation as logs and tests see it: the path without IDs. */
const actionOf = (method: string, path: string): string => {
  const [route = ''] = path.split('?')
  return `${method} ${route.replace(/\/(cus|sub|sub_sched|cs)_\w+/g, '/{id}')}`
}

/** Sends the requests of Stripe's library through the service's HTTP client, which bounds responses in time and size. */
const httpClientOf = (ctx: Context, origin: string): HttpClient => ({
  getClientName: () => 'node',
  makeRequest: async (_host, _port, path, method, headers, requestData, _protocol, timeout) => {
    const sent = Object.entries(headers).map(([name, value]) => [name, String(value)])
    const request = {
      url: `${origin}${path}`,
      method,
      headers: Object.fromEntries(sent),
      ...(method === 'GET' ? {} : { body: requestData }),
      totalMs: timeout,
      maxBytes,
    }
    const effect = { service: 'stripe', action: actionOf(method, path), resource: 'stripe' }
    try {
      const answer = await ctx.observe(effect, () => send(request))
      if (answer.truncated) throw new OutboundError('body_too_large', true, 'The response of Stripe is too large.')
      return responseOf(answer.status, answer.headers, answer.body)
    } catch (error) {
      throw error instanceof OutboundError ? connectionError(error) : error
    }
  },
})

/**
 * Decided: a call has 4 s, and one retry by the library with the same Idempotency-Key. Three calls in a row end within
 * the 28 s of an API function.
 */
const timeoutMs = 4_000
const maxNetworkRetries = 1

/** Stripe's library with the keys of the deployment. */
export const stripeOf = async (ctx: Context): Promise<Stripe> => {
  const { apiKey } = await stripeSecret(ctx)
  return new Stripe(apiKey, {
    timeout: timeoutMs,
    maxNetworkRetries,
    telemetry: false,
    httpClient: httpClientOf(ctx, ctx.env('STRIPE_ORIGIN')),
  })
}
