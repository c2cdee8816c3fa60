import type { IncomingHttpHeaders } from 'node:http'
import { setImmediate as turn } from 'node:timers/promises'
import { type HttpRequest, HttpResponse } from '@smithy/core/transport'
import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler'
import { SignatureV4, type SignatureV4CryptoInit, type SignatureV4Init } from '@smithy/signature-v4'
import type { RequestSigningArguments } from '@smithy/types'
import type { Credentials } from '../iam/authority.ts'
import { region } from '../template/account.ts'

type SignerInit = SignatureV4Init & SignatureV4CryptoInit

type HttpOptions = Parameters<NodeHttpHandler['handle']>[1]

/** A request of an SDK client, as an engine reads it from a socket or gets it in process. */
export interface EngineRequest {
  method: string
  /** Path and query. */
  target: string
  headers: IncomingHttpHeaders
  /** The body. */
  text: string
  /** Aborts when the client gives up before it has its response. */
  gone: AbortSignal
}

type Answer = (
  request: EngineRequest,
) => Promise<{ statusCode: number; headers: Record<string, string>; body: Uint8Array }>

const engines = new Map<string, Answer>()

/** Lets the SDK clients of this process reach an engine without its socket; returns a function that ends this. */
export const reachInProcess = (url: string, answer: Answer): (() => void) => {
  engines.set(url, answer)
  return () => {
    engines.delete(url)
  }
}

const originOf = ({ protocol, hostname, port }: HttpRequest): string => `${protocol}//${hostname}:${port}`

const targetOf = ({ path, query = {} }: HttpRequest): string => {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? ''].flat().map((text): [string, string] => [name, text]),
  )
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

const textOf = (body: unknown): string => {
  if (body === undefined || body === null) return ''
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
  throw new TypeError('A request to an engine in this process has a body that is neither text nor bytes.')
}

const never = new AbortController().signal

/** Hands requests to the engines of this process, and sends those to other hosts over HTTP with the client's own options. */
class InProcessHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #http: NodeHttpHandler

  constructor(options: NodeHttpHandlerOptions | undefined) {
    this.#http = new NodeHttpHandler(options)
  }

  async handle(request: HttpRequest, options?: HttpOptions): Promise<{ response: HttpResponse }> {
    const answer = engines.get(originOf(request))
    if (answer === undefined) return this.#http.handle(request, options)
    // As on a socket, other requests have their turn between a request and its response.
    await turn()
    const { method, headers, body } = request
    const gone = (options?.abortSignal as AbortSignal | undefined) ?? never
    const response = await answer({ method, target: targetOf(request), headers, text: textOf(body), gone })
    return { response: new HttpResponse(response) }
  }

  destroy(): void {
    this.#http.destroy()
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): NodeHttpHandlerOptions {
    return this.#http.httpHandlerConfigs()
  }
}

/**
 * Names the access key of a request to an engine in this process, and signs any other: within the process, no engine checks signatures.
 */
class InProcessSigner {
  readonly #init: SignerInit
  readonly #elsewhere: SignerInit['credentials']

  constructor(init: SignerInit, elsewhere: Credentials | undefined) {
    this.#init = init
    this.#elsewhere = elsewhere ?? init.credentials
  }

  async sign(request: HttpRequest, options?: RequestSigningArguments) {
    if (!engines.has(originOf(request))) {
      return new SignatureV4({ ...this.#init, credentials: this.#elsewhere }).sign(request, options)
    }
    const { credentials } = this.#init
    const { accessKeyId } = typeof credentials === 'function' ? await credentials() : credentials
    request.headers['authorization'] = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/`
    return request
  }
}

/** What each new client would look for in the environment and in files, with an error for everything that is missing. */
const settled = {
  region,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  accountIdEndpointMode: 'disabled',
  authSchemePreference: async (): Promise<string[]> => [],
  endpointDiscoveryEnabledProvider: async () => false,
  retryMode: 'standard',
  defaultsMode: 'legacy',
  userAgentAppId: async () => undefined,
  defaultUserAgentProvider: async () => [],
} as const

/**
 * Options of the SDK clients of a service from source: they reach the engines of this process without a socket or a
 * signature. `elsewhere` signs requests to engines outside of this process, instead of with a client's credentials.
 */
export const inProcess =
  (elsewhere: Credentials | undefined) =>
  ({ requestHandler }: { requestHandler?: NodeHttpHandlerOptions }) => ({
    ...settled,
    requestHandler: new InProcessHandler(requestHandler),
    signerConstructor: class extends InProcessSigner {
      constructor(init: SignerInit) {
        super(init, elsewhere)
      }
    },
  })
