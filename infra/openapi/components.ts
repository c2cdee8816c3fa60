import type { Access } from '../../shared/access/access.ts'
import { fieldIssueCodes } from '../../shared/errors/issue.ts'
import type { Contract } from '../../shared/http/contract.ts'
import { scopes } from '../../shared/identity/scope.ts'
import { errorExamples, sharedAnswersOf } from './error-answers.ts'
import type { Schema } from './schemas.ts'

const text = { type: 'string' }

const envelopes: Readonly<Record<string, Schema>> = {
  Success: {
    type: 'object',
    description: 'The envelope of every successful response.',
    required: ['success', 'data'],
    properties: {
      success: { type: 'boolean', const: true, description: 'Always true.' },
      data: { description: 'What the operation returns.' },
    },
  },
  Error: {
    type: 'object',
    description: 'The envelope of every error. Show `error` to people, and branch on `code` in programs.',
    required: ['success', 'error', 'code', 'docUrl'],
    examples: [errorExamples['post_not_found']?.value],
    properties: {
      success: { type: 'boolean', const: false, description: 'Always false.' },
      error: { ...text, description: 'What went wrong and what to do about it, for people.' },
      message: { ...text, description: 'What to do about it, where `error` does not say it.' },
      code: { ...text, description: 'What went wrong, for programs. The guide "Errors" lists every code.' },
      requestId: {
        ...text,
        description:
          'The ID of the request in our logs, the same as in the header `X-Request-Id`. Absent only from a 429 of the firewall.',
      },
      docUrl: { ...text, format: 'uri', description: 'The page that explains the code.' },
      field: { ...text, description: 'The path of the field, or the name of the parameter or header, at fault.' },
      issues: {
        type: 'array',
        items: {
          anyOf: [{ $ref: '#/components/schemas/FieldIssue' }, { $ref: '#/components/schemas/ValidationIssue' }],
        },
        description: 'Every invalid field, or every issue of a post. `error` is about the first one.',
      },
    },
  },
  FieldIssue: {
    type: 'object',
    description: 'What is wrong with one field of a request.',
    required: ['field', 'code', 'message'],
    properties: {
      field: { ...text, description: 'The path of the field, with dots between its parts: `metadata.reddit.title`.' },
      code: { ...text, enum: [...fieldIssueCodes], description: 'What is wrong with the field, for programs.' },
      message: { ...text, description: 'What is wrong with the field, for people.' },
    },
  },
  SubscriptionRequired: {
    description: 'The error of a workspace without access: it has no subscription, or a payment failed.',
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        required: ['code', 'httpStatus', 'billingUrl'],
        properties: {
          code: { ...text, const: 'subscription_required', description: 'Always `subscription_required`.' },
          httpStatus: { type: 'integer', const: 402, description: 'The HTTP status of the response, 402.' },
          billingUrl: { ...text, format: 'uri', description: 'The page where an owner or admin can subscribe.' },
          subscriptionStatus: { ...text, description: 'The status of the subscription; `none` without one.' },
          workspaceSlug: { ...text, description: 'The slug of the workspace, as in the addresses of its pages.' },
        },
      },
    ],
  },
}

const inHeader = (name: string, required: boolean, description: string, schema: Schema = text) => ({
  name,
  in: 'header',
  required,
  description,
  schema,
})

// Optional headers have no examples: the reference would send an example as the value.
const parameters = {
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    false,
    'A value of your choice that makes a retry safe. For 24 hours, a request with the same key and body returns the first response, and nothing is done twice. The same key with another body returns 422.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  'If-Match': inHeader(
    'If-Match',
    false,
    'The `ETag` that you read, such as `"3"`, or several, separated by commas. If the object has changed since, the request returns 412 and changes nothing. `*` matches any state.',
  ),
  'If-None-Match': inHeader(
    'If-None-Match',
    false,
    'The `ETag` that you read, such as `"3"`. If the object has not changed since, the response is 304 without a body.',
  ),
  'X-Request-Id': inHeader(
    'X-Request-Id',
    false,
    'Your own ID for the request: 1 to 128 letters, digits, `_`, `.`, or `-`. It is returned in the response, and recorded in our logs and the audit trail as `clientRequestId`. Without it, or with one of another form, the response has the ID that the service gave the request.',
  ),
}

const whole = { type: 'integer' }
const headers = {
  'X-Request-Id': {
    description: 'The ID of the request in our logs. Quote it when you contact support.',
    schema: text,
  },
  ETag: {
    description: 'Identifies this state of the object. Send it as `If-Match` to change the object only in this state.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  'X-RateLimit-Limit': {
    description: 'The number of requests that the rate limit allows in its window.',
    schema: whole,
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests left now. Each comes back after its share of the window.',
    schema: whole,
  },
  'X-RateLimit-Reset': { description: 'When all requests are available again, in Unix seconds.', schema: whole },
  'RateLimit-Policy': {
    description:
      'The rate limit as a structured field (draft-ietf-httpapi-ratelimit-headers): name, requests `q`, seconds `w`.',
    schema: text,
  },
  RateLimit: {
    description:
      'What is left of the rate limit as a structured field: name, remaining requests `r`, seconds until more `t`.',
    schema: text,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate: `Bearer`, with `error="invalid_token"` if a token was sent.',
    schema: text,
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the first response to the same Idempotency-Key again. Absent otherwise.',
    schema: text,
  },
  'set-auth-token': { description: 'The session token, the same as `token` in the body.', schema: text },
  Location: { description: 'The address to continue at.', schema: { type: 'string', format: 'uri' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole },
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'A session token (`svc_ses_…`) or a personal access token (`svc_pat_…`), which is bound to one workspace and to scopes:',
      ...scopes.map((scope) => `- \`${scope}\``),
      '',
      'The scope `*` stands for all of them. Operations that name no scope require a session.',
    ].join('\n'),
  },
  // A security scheme instead of a parameter: tools ask for it once and send it with every request.
  workspace: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Workspace-Id',
    description: 'The ID of the workspace to act in, `ws_…`. A personal access token works only in its own workspace.',
  },
}

/** The components of the document other than its schemas. */
export const componentsWith = (schemas: ReadonlyMap<string, Schema>, contracts: readonly Contract<Access>[]) => ({
  schemas: { ...envelopes, ...Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  responses: sharedAnswersOf(contracts),
  examples: errorExamples,
  parameters,
  headers,
  securitySchemes,
})
