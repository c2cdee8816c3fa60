import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'
import type { EngineClock } from './engines/engine.ts'
import { type AdmissionLimits, makeAdmission, turnedAway } from './gateway/admission.ts'
import { type GatewayAnswer, sendAnswer } from './gateway/answer.ts'
import { type BodyLimits, makeBodyBudget } from './gateway/body-budget.ts'
import { decoded, encoded } from './gateway/compression.ts'
import { proxyEvent } from './gateway/event.ts'
import type { Front } from './gateway/front.ts'
import { readFunctionAnswer } from './gateway/function-answer.ts'
import { InvalidPermissions } from './gateway/invalid-permissions.ts'
import { type Match, makeMatcher } from './gateway/match.ts'
import { answerMock, type Refusal, refuse } from './gateway/own-answer.ts'
import { type GatewayRequest, readRequest } from './gateway/request.ts'
import { type RequestSummary, requestSummary } from './gateway/request-summary.ts'
import { type Listener, readBody } from './pages/server.ts'
import type { ApiPlan, Handing } from './template/api.ts'
import { functionNameIn } from './template/arn.ts'

export interface GatewayOptions {
  api: ApiPlan
  clock: EngineClock
  /** The origin at which clients reach the API; that of the listener where not given. */
  baseUrl?: string
  front?: Front
  /** The listener of a path that is of a file; undefined for those of the API. */
  fileListener?(path: string): RequestListener | undefined
  /** Runs the function behind a route in the role of its integration; throws if the function died. */
  invoke(functionArn: string, roleArn: string, event: APIGatewayProxyEvent): Promise<unknown>
  /** The local pages by name, at `/local-pages.json`, for the navigation of the console. Deployed, that path is a 403. */
  localPages?(): Readonly<Record<string, string | undefined>>
  /** Receives errors that are not in the response: how a function crashed, or what the local gateway does not support. */
  report(name: string, error: unknown): void
  /** Called for each request after its response is sent. */
  seeRequest?(request: RequestSummary): void
  /** Overrides the default limits of concurrent requests. */
  admission?: Partial<AdmissionLimits>
  /** Overrides the default limits of the memory of bodies. */
  bodies?: BodyLimits
}

const maxBodyBytes = 10 * 1024 * 1024
/** A client that sends its body byte by byte holds memory. */
const bodyWithinMs = 300_000

const functionArnIn = (uri: string): string => {
  const [, arn] = /\/functions\/(arn:[^/]+:function:[\w-]+(?::\w+)?)\/invocations$/.exec(uri) ?? []
  if (arn === undefined) throw new Error(`the integration ${uri} names no function`)
  return arn
}

const matchOrRefuse = (find: (path: string) => Match | undefined, path: string): Match | Refusal => {
  try {
    return find(path) ?? 'MISSING_AUTHENTICATION_TOKEN'
  } catch {
    return 'BAD_REQUEST_PARAMETERS'
  }
}

/** Handles a listener's requests as API Gateway handles those of the deployed REST API. */
export const serveGateway = (
  listener: Listener,
  { api, clock, invoke, localPages, report, seeRequest, admission: limits, bodies, ...reach }: GatewayOptions,
): void => {
  const { baseUrl = listener.url, front, fileListener } = reach
  const find = makeMatcher(api.paths)
  const admission = makeAdmission(clock, limits)
  const shareOf = makeBodyBudget(bodies)
  const { id, stageName, binaryTypes } = api
  const info = { id, stageName, domainName: new URL(baseUrl).host, binaryTypes }

  async function answerFunction(
    request: GatewayRequest,
    match: Match,
    { uri, credentials }: Handing,
  ): Promise<GatewayAnswer> {
    const event = proxyEvent(info, request, match, clock.now())
    const functionArn = functionArnIn(uri)
    try {
      const result = await invoke(functionArn, credentials, event)
      return readFunctionAnswer(result) ?? refuse(api, request, 'DEFAULT_5XX')
    } catch (error) {
      report(functionNameIn(functionArn), error)
      return refuse(api, request, error instanceof InvalidPermissions ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX')
    }
  }

  async function answer(incoming: IncomingMessage, sourceIp: string, body: Buffer | undefined): Promise<GatewayAnswer> {
    const sent = readRequest(baseUrl, incoming, sourceIp, body ?? Buffer.alloc(0))
    const plain = body && (await decoded(sent, maxBodyBytes))
    if (plain === undefined) return refuse(api, sent, 'REQUEST_TOO_LARGE')
    const result = await answerPlain({ ...sent, body: plain })
    return encoded(sent, result, api.minimumCompressionBytes)
  }

  async function answerPlain(request: GatewayRequest): Promise<GatewayAnswer> {
    if (localPages !== undefined && request.path === '/local-pages.json') {
      const body = Buffer.from(JSON.stringify(localPages()))
      // The console shows the service's time, whose clock can be moved.
      const headers = { 'Content-Type': 'application/json', Date: new Date(clock.now()).toUTCString() }
      return { status: 200, headers, body }
    }
    const match = matchOrRefuse(find, request.path)
    if (typeof match === 'string') return refuse(api, request, match)
    const integration = match.plan.methods.get(request.method) ?? match.plan.methods.get('ANY')
    if (integration === undefined) return refuse(api, request, 'MISSING_AUTHENTICATION_TOKEN')
    if (integration.type === 'mock') return answerMock(api, request, integration)
    return answerFunction(request, match, integration)
  }

  /** The body is read first, so that half a request takes no slot. */
  async function answerInTurn(incoming: IncomingMessage): Promise<GatewayAnswer> {
    const refusal = front?.refusal(incoming)
    if (refusal !== undefined) return refusal
    const sourceIp = front?.clientAddress(incoming) ?? incoming.socket.remoteAddress ?? ''
    const share = shareOf(sourceIp)
    let isFull = false
    const mayStore = (bytes: number) => {
      isFull = !share.add(bytes)
      return !isFull
    }
    const tooSlow = setTimeout(() => incoming.destroy(), bodyWithinMs)
    try {
      const body = await readBody(incoming, maxBodyBytes, mayStore).finally(() => clearTimeout(tooSlow))
      const leave = isFull ? undefined : await admission.enter()
      return leave === undefined ? turnedAway(baseUrl) : await answer(incoming, sourceIp, body).finally(leave)
    } finally {
      share.release()
    }
  }

  listener.onRequest((incoming: IncomingMessage, outgoing: ServerResponse) => {
    const files = fileListener?.(incoming.url ?? '')
    if (files !== undefined) return files(incoming, outgoing)
    const startedAtMs = performance.now()
    answerInTurn(incoming).then(
      (result) => {
        sendAnswer(outgoing, result)
        seeRequest?.(requestSummary(incoming, result, performance.now() - startedAtMs))
      },
      (error: unknown) => {
        report('gateway', error)
        outgoing.destroy()
      },
    )
  })
}
