import type { APIGatewayProxyEvent } from 'aws-lambda'
import * as z from 'zod/mini'
import { routes } from '../../functions/routes.ts'
import { errorsOf } from '../../infra/openapi/errors-of.ts'
import type { Access } from '../../shared/access/access.ts'
import { catalog, type ErrorCode } from '../../shared/errors/catalog.ts'
import { fieldIssueCodes, issueCodes } from '../../shared/errors/issue.ts'
import { statusOf } from '../../shared/errors/reason.ts'
import type { Contract } from '../../shared/http/contract.ts'

const contracts = new Map<string, Contract<Access>>(
  routes.map(({ endpoint: { contract } }) => [`${contract.method} ${contract.path}`, contract]),
)

/** Sentences that the specification fixes without a period (Errors, "Specific bodies"). */
export const specifiedSentences: readonly string[] = ['Rate limit exceeded', 'X monthly posting cap reached']

/** Whole sentences: with a period, or a question that offers the fix; no gap where a word is missing, no wrong plural. */
const isSentences = (text: string) =>
  /[.?]$/.test(text) && !/ {2}|undefined|(?<![\d/.])1 (?:characters|bytes|files|posts|seconds)\b/.test(text)

const Answer = z.object({
  statusCode: z.number(),
  body: z.string(),
  headers: z.looseObject({ 'X-Request-Id': z.string(), 'Content-Type': z.optional(z.string()) }),
})
type Answer = z.infer<typeof Answer>
const ErrorBody = z.object({
  error: z.string(),
  code: z.enum(Object.keys(catalog) as ErrorCode[]),
  requestId: z.string(),
  docUrl: z.url(),
  issues: z.optional(z.array(z.object({ code: z.enum([...fieldIssueCodes, ...issueCodes]) }))),
})

/** A message may repeat what was sent: what looks like a gap there is the caller's own text. */
const withoutEcho = (
  { path, body, multiValueQueryStringParameters }: APIGatewayProxyEvent,
  message: string,
): string => {
  const sent = JSON.stringify([path, body, multiValueQueryStringParameters])
  const named = sent.includes('undefined') ? message.replaceAll('undefined', 'value') : message
  // A space at the end of a sent text, or two within it.
  return / {2}| \\?"|%20/.test(sent) ? named.replaceAll('  ', ' ') : named
}

/** Whether the answer is an error page: the request accepts HTML, the page has a link, the status is that of a declared code. */
const isPage = ({ headers }: APIGatewayProxyEvent, contract: Contract<Access>, { body, statusCode }: Answer): boolean =>
  (headers['Accept'] ?? '').includes('text/html') &&
  body.includes('<a href="http') &&
  errorsOf(contract).some((code) => statusOf[catalog[code].reason] === statusCode)

/** What is wrong with the answer of an operation as an error: its shape, its status, or a code it does not declare. */
const faultIn = (event: APIGatewayProxyEvent, answer: unknown): string | undefined => {
  const { httpMethod, resource } = event
  const contract = contracts.get(`${httpMethod === 'HEAD' ? 'GET' : httpMethod} ${resource}`)
  const { data } = z.safeParse(Answer, answer)
  if (contract === undefined || data === undefined || data.statusCode < 400) return undefined
  const description = `${contract.method} ${contract.path} answered ${data.statusCode} ${data.body.slice(0, 300)}`
  if (data.headers['Content-Type']?.startsWith('text/html')) {
    return isPage(event, contract, data) ? undefined : `${description}: a page without a link, or for a program`
  }
  const body = z.safeParse(ErrorBody, JSON.parse(data.body))
  if (!body.success) return `${description}: ${z.prettifyError(body.error)}`
  const { error, code, requestId, docUrl } = body.data
  if (!specifiedSentences.includes(error) && !isSentences(withoutEcho(event, error))) {
    return `${description}: its message is not made of whole sentences`
  }
  if (requestId !== data.headers['X-Request-Id']) return `${description}: requestId is not that of the header`
  if (!docUrl.endsWith(`/api/docs/errors/${code}`)) return `${description}: docUrl is not the page of its code`
  if (statusOf[catalog[code].reason] !== data.statusCode) return `${description}: ${code} has another status`
  return errorsOf(contract).includes(code) ? undefined : `${description}: its contract does not declare ${code}`
}

/** Looks at every answer of a service; `assertDeclared` throws where an error was not as its contract declares it. */
export const watchErrors = () => {
  const faults = new Set<string>()
  return {
    seeAnswer(event: APIGatewayProxyEvent, answer: unknown): void {
      const fault = faultIn(event, answer)
      if (fault !== undefined) faults.add(fault)
    },
    assertDeclared(): void {
      if (faults.size > 0) throw new Error(`errors that no contract declares:\n${[...faults].join('\n')}`)
    },
  }
}
