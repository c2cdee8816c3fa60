import { errorText, type OwnError, ownHeaders } from '../../openapi/gateway-answers.ts'
import type { ApiPlan, GatewayResponse, Mock } from '../template/api.ts'
import type { GatewayAnswer } from './answer.ts'
import { renderTemplate } from './mapping-template.ts'
import { type GatewayRequest, headerOf, newRequestId } from './request.ts'

/** Errors before or after a function (API Gateway guide, "gateway response types"), with API Gateway's status. */
const refusals = {
  BAD_REQUEST_PARAMETERS: 400,
  DEFAULT_4XX: 400,
  DEFAULT_5XX: 502,
  // A role of an integration that may not be assumed, or may not call the function.
  API_CONFIGURATION_ERROR: 500,
  MISSING_AUTHENTICATION_TOKEN: 403,
  REQUEST_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
} as const
export type Refusal = keyof typeof refusals

/** The value of a mapping: a text in single quotes, or a variable of the context. */
const mapped = (request: GatewayRequest, expression: string): string => {
  const [, literal] = /^'(.*)'$/.exec(expression) ?? []
  if (literal !== undefined) return literal
  if (expression === 'context.extendedRequestId') return request.id
  throw new Error(`the local gateway has no mapping ${expression}`)
}

const headersOf = (request: GatewayRequest, parameters: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([target, expression]) => [
      target.replace(/^(?:gatewayresponse|method\.response)\.header\./, ''),
      mapped(request, expression),
    ]),
  )

const rendered = (
  request: GatewayRequest,
  status: number,
  response: Omit<GatewayResponse, 'statusCode'>,
): GatewayAnswer => {
  const [type, template] = Object.entries(response.responseTemplates)[0] ?? ['application/json', '']
  const { text, headers: overridden } = renderTemplate(template, request)
  const headers = { 'Content-Type': type, ...headersOf(request, response.responseParameters), ...overridden }
  return { status, headers, body: Buffer.from(text) }
}

/** The gateway response for a rejection: the one that the API defines, otherwise the default of its class. */
export const refuse = (api: ApiPlan, request: GatewayRequest, refusal: Refusal): GatewayAnswer => {
  const fallback = refusals[refusal] < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX'
  const response = api.gatewayResponses[refusal] ?? api.gatewayResponses[fallback]
  if (response === undefined) throw new Error(`the API defines no gateway response for ${refusal}`)
  return rendered(request, Number(response.statusCode ?? refusals[refusal]), response)
}

/** The response of a MOCK integration, which reads the status from the template for the request's content type. */
export const answerMock = (api: ApiPlan, request: GatewayRequest, mock: Mock): GatewayAnswer => {
  const contentType = (headerOf(request, 'Content-Type') ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase()
  const template = mock.requestTemplates[contentType ?? '']
  if (template === undefined) return refuse(api, request, 'UNSUPPORTED_MEDIA_TYPE')
  const status = String(JSON.parse(template).statusCode)
  const chosen = Object.entries(mock.responses).find(([pattern]) => new RegExp(`^(?:${pattern})$`).test(status))
  const response = chosen?.[1] ?? mock.responses['default']
  return response ? rendered(request, Number(response.statusCode), response) : refuse(api, request, 'DEFAULT_5XX')
}

/** An error of this gateway that API Gateway does not have. */
export const ownError = (
  baseUrl: string,
  status: number,
  error: OwnError,
  headers: Readonly<Record<string, string>> = {},
): GatewayAnswer => {
  const requestId = newRequestId()
  return {
    status,
    headers: { ...ownHeaders, 'Content-Type': 'application/json', 'X-Request-Id': requestId, ...headers },
    body: Buffer.from(errorText(baseUrl, error, requestId)),
  }
}
