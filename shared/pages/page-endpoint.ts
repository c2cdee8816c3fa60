import middy from '@middy/core'
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context as LambdaContext } from 'aws-lambda'
import type * as z from 'zod/mini'
import { type Access, anyone } from '../access/access.ts'
import type { HttpEndpoint } from '../access/endpoint.ts'
import { countRequest, enforceLimit } from '../access/rate-limit.ts'
import { type Context, lambdaContext, perContext } from '../context.ts'
import { Refusal } from '../errors/refusal.ts'
import type { Contract } from '../http/contract.ts'
import { withinDeadline } from '../http/deadline.ts'
import { parseOrRefuse } from '../http/parse-input.ts'
import { header, openRequest, type RequestContext, recordCaller } from '../http/request-context.ts'
import { unfinishedInTime } from '../http/unavailable.ts'
import { browserIn } from '../identity/cookie.ts'
import { intakeRefusal } from '../pauses/intake.ts'
import { assertSameOrigin, readForm, type Sent } from './form.ts'
import type { Page } from './layout.ts'
import { ownPage, withQuery } from './own-page.ts'
import { refusals, sendRefusal, sendRefused } from './refused.ts'
import { Redirect, sendPage, sendRedirect } from './send.ts'
import { assertFormKey, type Visitor, visitorOf } from './visitor.ts'

type VisitorRule = 'ignored' | 'known' | 'required'

/** What a page handler receives; `visitor` exists if the page requires one. */
export interface Visit<R extends VisitorRule = VisitorRule, Q = unknown, F = unknown> {
  ctx: Context
  query: Q
  form: F
  /** The fields of the form, to be shown again. */
  sent: Sent
  visitor: R extends 'required' ? Visitor : Visitor | undefined
  userAgent: string
  /** The client's address, from the connection. */
  ip: string
  /** The browser that connects an account (cookie.ts). */
  browser: string | undefined
}

/** A page, or the action of its form, as data. */
interface PageContract<R extends VisitorRule, Q, F>
  extends Pick<Contract, 'path' | 'summary' | 'needs' | 'limit' | 'memoryMb'> {
  method: 'GET' | 'POST'
  visitor: R
  query?: z.ZodMiniType<Q>
  form?: z.ZodMiniType<F>
}

type Answer = Page | Redirect

const incompleteLink = 'This link is incomplete. Copy all of it into your browser, or open it again.'

/** Reads the query of a page. People follow links and do not know parameters. */
const readQuery = <Q>(schema: z.ZodMiniType<Q> | undefined, { query }: RequestContext): Q => {
  // A page without a schema takes no input.
  if (schema === undefined) return {} as Q
  try {
    return parseOrRefuse(schema, query, 'query')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal('invalid', incompleteLink, { code: 'invalid_input', field: 'query' })
  }
}

/** A repeated parameter has no unambiguous value (RFC 6749, 3.1, forbids it). A page without a schema reads none. */
const assertUnrepeated = (schema: unknown, { repeated }: RequestContext): void => {
  if (schema === undefined || repeated === undefined) return
  throw new Refusal('invalid', `This link has "${repeated}" more than once. Open it again where you got it.`, {
    code: 'invalid_input',
    field: repeated,
  })
}

/** Reads a form, which must come from one of our pages. */
const readSent = (request: RequestContext): Sent => {
  if (request.contract.method !== 'POST') return {}
  assertSameOrigin(request.ctx, request.event)
  return readForm(request.event)
}

const toLogin = ({ contract, query }: RequestContext) =>
  new Redirect(withQuery('/login', { return: ownPage(withQuery(contract.path, query)) ?? ownPage(contract.path) }))

/**
 * Creates a page for people. Like an endpoint, it has a contract and a short handler, but the session comes in a cookie,
 * input in a form, and every response, including a refusal, is HTML. `again` renders the form again with the errors.
 */
export const page = <const R extends VisitorRule, Q = Record<string, never>, F = Record<string, never>>(
  { visitor: rule, query, form, ...rest }: PageContract<R, Q, F>,
  answer: (visit: Visit<R, Q, F>) => Answer | Promise<Answer>,
  again?: (visit: Omit<Visit<R>, 'query' | 'form'>, refusal: Refusal) => Page | Promise<Page>,
): HttpEndpoint => {
  const status = rest.method === 'GET' ? 200 : 303
  // Submitting a form is a way to sign in, like /api/auth; opening a page is not.
  const limit = rest.limit ?? (rest.method === 'GET' ? 'general' : 'auth')
  const contract: Contract<Access> = { ...rest, limit, access: anyone, status, errors: [] }

  const chain = middy<RequestContext, APIGatewayProxyResult>({ timeoutEarlyInMillis: 0 })
    .use(refusals())
    .handler(async (request) => {
      const { event } = request
      const [counted, visitor] = await Promise.all([
        countRequest(request),
        rule === 'ignored' ? undefined : visitorOf(request),
      ])
      if (visitor !== undefined) {
        recordCaller(request, { userId: visitor.session.userId, sessionId: visitor.session.id })
      }
      const { ctx } = request
      enforceLimit(request, counted)
      // Before the redirect to sign-in, which takes one value of each along.
      assertUnrepeated(query, request)
      const sent = readSent(request)
      if (rule === 'required') {
        if (visitor === undefined) return sendRedirect(request, toLogin(request))
        if (contract.method === 'POST') assertFormKey(visitor, sent['form_key'])
      }
      const userAgent = (header(event, 'User-Agent') ?? '').slice(0, 200)
      const ip = event.requestContext.identity.sourceIp
      const browser = browserIn(ctx, header(event, 'Cookie'))
      // With the rule `required`, the visitor exists.
      const known = { ctx, sent, visitor: visitor as Visit<R>['visitor'], userAgent, ip, browser }
      try {
        if (visitor?.isRefused) throw intakeRefusal()
        const visit = {
          ...known,
          query: readQuery(query, request),
          form: (form ? parseOrRefuse(form, sent, 'form') : {}) as F,
        }
        const result = await answer(visit)
        return result instanceof Redirect ? sendRedirect(request, result) : sendPage(request, 200, result)
      } catch (error) {
        if (again === undefined || !(error instanceof Refusal)) throw error
        return sendRefusal(request, error, await again(known, error))
      }
    })
  const bind = perContext((ctx) => (event: APIGatewayProxyEvent, context?: LambdaContext) => {
    const request = openRequest(ctx, contract, event)
    const lambda = context ?? ({} as LambdaContext)
    return withinDeadline(
      lambda,
      () => chain(request, lambda),
      (mayHaveWritten) => sendRefused(request, unfinishedInTime(request, mayHaveWritten)),
    )
  })
  const handler = async (event: APIGatewayProxyEvent, context: LambdaContext) => bind(lambdaContext())(event, context)
  return Object.assign(handler, { contract, withContext: (ctx: Context) => bind(ctx) })
}
