import type { Route } from '../../functions/routes.ts'
import { answersHead } from '../../shared/http/contract.ts'
import { layout } from '../../shared/pages/layout.ts'
import { notFoundPage } from '../../shared/pages/not-found-page.ts'
import { pageHeaders } from '../../shared/pages/send.ts'
import { version } from '../../shared/version.ts'
import {
  errorText,
  gatewayAnswers,
  gatewayRequestId,
  literals,
  ownHeaders,
  unknownMethod,
  unknownRoute,
} from './gateway-answers.ts'

/** The headers of the page that the envelope does not have. */
const ofPage: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders() }).filter(
    ([name]) => !(name in ownHeaders),
  ),
)

/** The response of an unknown path to clients that do not accept HTML. */
const notFoundEnvelope = (baseUrl: string): string => errorText(baseUrl, unknownRoute, gatewayRequestId)

/**
 * The response of an unknown path to a GET: a page if HTML is accepted and JSON is not, otherwise the envelope. An
 * integration has one response per status, so its template chooses, and overrides the headers of the envelope (API Gateway
 * guide, "override your API's request and response parameters", read 2026-11-23). `params` finds a header only under its
 * exact name; HTTP/2 sends lower case.
 */
const notFoundTemplate = (baseUrl: string): string =>
  [
    `#set($accept = "$!input.params('Accept') $!input.params('accept')")`,
    `#if($accept.contains('text/html') && !$accept.contains('application/json'))`,
    ...Object.entries(ofPage).map(([name, value]) => `#set($context.responseOverride.header.${name} = "${value}")`),
    layout(notFoundPage(baseUrl)).trimEnd(),
    '#else',
    notFoundEnvelope(baseUrl),
    '#end',
  ].join('\n')

const allowedHeaders =
  'Authorization, Content-Type, X-Workspace-Id, Idempotency-Key, If-Match, If-None-Match, X-Request-Id, X-Client-Name, X-Client-Version'

// A mock chooses its template by the content type of the request; these are what clients send.
const contentTypes = [
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'multipart/form-data',
  'text/plain',
]

/** A response that API Gateway generates itself. */
const mock = (status: number, headers: Readonly<Record<string, string>>, body: string) => ({
  responses: {
    [status]: {
      description: 'answered by API Gateway',
      headers: Object.fromEntries(
        [...Object.keys(headers), 'X-Request-Id'].map((name) => [name, { schema: { type: 'string' } }]),
      ),
    },
  },
  'x-amazon-apigateway-integration': {
    type: 'mock',
    passthroughBehavior: 'never',
    requestTemplates: Object.fromEntries(contentTypes.map((type) => [type, `{"statusCode": ${status}}`])),
    responses: {
      default: {
        statusCode: String(status),
        responseParameters: {
          ...literals('method.response', headers),
          // API Gateway guide, parameter mapping sources for REST APIs, read 2026-11-21.
          'method.response.header.X-Request-Id': 'context.extendedRequestId',
        },
        responseTemplates: { 'application/json': body },
      },
    },
  },
})

/** How API Gateway calls functions. */
interface Caller {
  invokeUri(functionArn: string): string
  /** The role in which it does. */
  callerArn: string
}

const call = (functionArn: string, { invokeUri, callerArn }: Caller) => ({
  responses: {},
  'x-amazon-apigateway-integration': {
    type: 'aws_proxy',
    httpMethod: 'POST',
    uri: invokeUri(functionArn),
    credentials: callerArn,
    passthroughBehavior: 'when_no_match',
    timeoutInMillis: 29_000,
  },
})

const parametersOf = (path: string) =>
  [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

const withParameters = (path: string) => {
  const parameters = parametersOf(path)
  return parameters.length === 0 ? {} : { parameters }
}

/** The content types that some route accepts as bytes. */
const binaryTypesOf = (routes: readonly Route[]): string[] => [
  ...new Set(routes.flatMap(({ endpoint }) => endpoint.contract.binary?.types ?? [])),
]

/** The API as API Gateway reads it: OpenAPI 3.0.1 with integrations and without schemas. Errors link to pages below `baseUrl`. */
export const gatewayBody = (
  baseUrl: string,
  answering: readonly { route: Route; functionArn: string }[],
  caller: Caller,
) => {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const path of new Set(answering.map(({ route }) => route.endpoint.contract.path))) {
    const here = answering.filter(({ route }) => route.endpoint.contract.path === path)
    const read = here.find(({ route }) => answersHead(route.endpoint.contract))
    const methods = [...here.map(({ route }) => route.endpoint.contract.method), ...(read ? ['HEAD'] : [])]
    const allow = [...methods, 'OPTIONS'].join(', ')
    const preflight = {
      ...ownHeaders,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': allowedHeaders,
      'Access-Control-Max-Age': '7200',
    }
    paths[path] = {
      ...withParameters(path),
      ...Object.fromEntries(
        here.map(({ route, functionArn }) => [route.endpoint.contract.method.toLowerCase(), call(functionArn, caller)]),
      ),
      ...(read ? { head: call(read.functionArn, caller) } : {}),
      options: mock(200, preflight, ''),
      'x-amazon-apigateway-any-method': mock(
        405,
        { ...ownHeaders, Allow: allow },
        errorText(baseUrl, unknownMethod(path, allow), gatewayRequestId),
      ),
    }
  }
  const rest = '/{proxy+}'
  paths[rest] = {
    ...withParameters(rest),
    get: mock(404, ownHeaders, notFoundTemplate(baseUrl)),
    'x-amazon-apigateway-any-method': mock(404, ownHeaders, notFoundEnvelope(baseUrl)),
  }
  return {
    openapi: '3.0.1',
    info: { title: 'Social Publishing Service API', version },
    paths,
    // Bodies of these content types reach functions in base64, all others as text.
    'x-amazon-apigateway-binary-media-types': binaryTypesOf(answering.map(({ route }) => route)),
    'x-amazon-apigateway-gateway-responses': gatewayAnswers(baseUrl),
    // Responses of this many bytes or more are compressed for callers that accept it; bodies may be gzipped as well.
    'x-amazon-apigateway-minimum-compression-size': 1024,
  }
}
