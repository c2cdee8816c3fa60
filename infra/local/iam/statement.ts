import * as z from 'zod/mini'
import type { Access, Principal, RequestContext } from './access.ts'
import { Conditions, readConditions } from './condition.ts'
import { actionLike, arnLike, type Matches } from './pattern.ts'

const List = z.union([
  z.array(z.string()),
  z.pipe(
    z.string(),
    z.transform((text) => [text]),
  ),
])
const PrincipalElement = z.union([z.literal('*'), z.strictObject({ AWS: z.optional(List), Service: z.optional(List) })])

// Strict: NotAction, NotPrincipal, and all other elements are errors and never an allow.
const StatementShape = z.strictObject({
  Sid: z.optional(z.string()),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: z.optional(PrincipalElement),
  Action: List,
  Resource: z.optional(List),
  NotResource: z.optional(List),
  Condition: z.optional(Conditions),
})
const Document = z.strictObject({
  Version: z.literal('2012-10-17'),
  Statement: z.array(z.record(z.string(), z.unknown())),
})

/** How a statement of a resource's policy names a principal; `account` leaves it to the policies of the principal. */
export type Naming = 'itself' | 'account' | undefined

/** One statement of a policy, ready to be compared with requests. */
export interface Statement {
  effect: 'Allow' | 'Deny'
  /** As written, to name a statement in a report. */
  actions: readonly string[]
  resources: readonly string[]
  covers(access: Access, context: RequestContext): boolean
  /** The same statement about other resources. */
  only(resources: readonly string[]): Statement
  names(principal: Principal): Naming
}

const any =
  (tests: readonly Matches[]): Matches =>
  (value) =>
    tests.some((matches) => matches(value))

const namesOf = (element: z.infer<typeof PrincipalElement> | undefined): Statement['names'] => {
  if (element === undefined) return () => undefined
  const { AWS = [], Service = [] } = element === '*' ? { AWS: ['*'] } : element
  const unknown = AWS.find((principal) => principal !== '*' && !/^arn:aws:iam::\d{12}:(root|role\/.+)$/.test(principal))
  if (unknown !== undefined) throw new Error(`the local IAM does not know the principal ${unknown}`)
  const account = AWS.some((principal) => principal.endsWith(':root'))
  return (principal) => {
    if (AWS.includes('*')) return 'itself'
    if (principal.kind === 'service') return Service.includes(principal.service) ? 'itself' : undefined
    if (principal.kind === 'role' && AWS.includes(principal.roleArn)) return 'itself'
    return account ? 'account' : undefined
  }
}

const readStatement = (source: object): Statement => {
  const parsed = StatementShape.safeParse(source)
  if (!parsed.success) {
    throw new Error(
      `the local IAM does not know the statement ${JSON.stringify(source)}: ${z.prettifyError(parsed.error)}`,
    )
  }
  const { Effect, Principal: element, Action, Resource, NotResource, Condition } = parsed.data
  if (Resource && NotResource) throw new Error('a statement has Resource or NotResource')
  const isAction = any(Action.map(actionLike))
  const listed = any((Resource ?? NotResource ?? []).map(arnLike))
  // A trust policy has no resource: it is about the role that it belongs to.
  const isResource: Matches = Resource ? listed : NotResource ? (arn) => !listed(arn) : () => true
  const holds = readConditions(Condition)
  return {
    effect: Effect,
    actions: Action,
    resources: Resource ?? (NotResource ?? []).map((arn) => `not ${arn}`),
    covers: ({ action, resource }, context) => isAction(action) && isResource(resource) && holds(context),
    only: (resources) => readStatement({ ...source, Resource: resources }),
    names: namesOf(element),
  }
}

/** Reads a policy document; throws for everything that the local IAM does not know. */
export const readPolicy = (document: unknown): Statement[] => z.parse(Document, document).Statement.map(readStatement)
