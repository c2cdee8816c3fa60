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
    description: 'The envelope of every successful answer.',
    required: ['success', 'data'],
    properties: { success: { type: 'boolean', const: true }, data: {} },
  },
  Error: {
    type: 'object',
    description: 'The envelope of every error; `error` is the sentence to read first.',
    required: ['success', 'error', 'code'],
    examples: [errorExamples['post_not_found']?.value],
    properties: {
      success: { type: 'boolean', const: false },
      error: text,
      message: { ...text, description: 'A second sentence: what to do about it.' },
      code: { ...text, description: 'What went wrong, for programs. The guide "Errors" lists every code.' },
      field: { ...text, description: 'The field, parameter, or header at fault.' },
      issues: {
        type: 'array',
        items: {
          anyOf: [{ $ref: '#/components/schemas/FieldIssue' }, { $ref: '#/components/schemas/ValidationIssue' }],
        },
        description: 'Every invalid field, or every issue of a post; `error` is about the first.',
      },
    },
  },
  FieldIssue: {
    type: 'object',
    description: 'What is wrong with one field of a request.',
    required: ['field', 'code', 'message'],
    properties: {
      field: { ...text, description: 'The path of the field, with dots between its parts.' },
      code: { ...text, enum: [...fieldIssueCodes] },
      message: text,
    },
  },
  SubscriptionRequired: {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      {
        type: 'object',
        required: ['code', 'httpStatus', 'billingUrl'],
        properties: {
          code: { ...text, const: 'subscription_required' },
          httpStatus: { type: 'integer', const: 402 },
          billingUrl: { ...text, format: 'uri' },
          subscriptionStatus: text,
          workspaceSlug: text,
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

const parameters = {
  'X-Workspace-Id': inHeader('X-Workspace-Id', true, 'The workspace that the call is about.'),
  'Idempotency-Key': inHeader(
    'Idempotency-Key',
    false,
    'Makes a repeated call safe: the same key and body get the first answer again, for 24 hours.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  'If-Match': inHeader(
    'If-Match',
    false,
    'The ETag that was read, or several of them; another state of the resource answers 412. `*` takes any state.',
    { type: 'string', examples: ['"3"'] },
  ),
  'If-None-Match': inHeader('If-None-Match', false, 'The ETag that was read; while it is the present one, 304.', {
    type: 'string',
    examples: ['"3"'],
  }),
  'X-Request-Id': inHeader('X-Request-Id', false, 'Echoed in the response and recorded in our logs.', {
    type: 'string',
    pattern: '^[\\w.-]{1,128}$',
  }),
}

const whole = { type: 'integer' }
const headers = {
  'X-Request-Id': { description: 'Names this call in our logs.', schema: text },
  ETag: {
    description: 'Stands for the state of the resource: send it as If-Match to change this state and no other.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  'X-RateLimit-Limit': { description: 'Calls that the limit allows in its time.', schema: whole },
  'X-RateLimit-Remaining': {
    description: 'Calls left right now; each comes back after its share of the time.',
    schema: whole,
  },
  'X-RateLimit-Reset': { description: 'When all calls are free again, in Unix seconds.', schema: whole },
  'RateLimit-Policy': {
    description: 'The limit in the words of the coming standard: name, calls, seconds.',
    schema: text,
  },
  RateLimit: { description: 'What is left of it, and the seconds until there is more.', schema: text },
  'WWW-Authenticate': {
    description: '`Bearer`, with `error` where the token that was sent is at fault.',
    schema: text,
  },
  'Retry-After': { description: 'Seconds after which the call may be made again.', schema: whole },
}

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: [
      'A session token (`svc_ses_…`) or a personal access token (`svc_pat_…`), which is bound to one workspace and to scopes:',
      ...scopes.map((scope) => `- \`${scope}\``),
      '',
      'The scope `*` stands for all of them. Operations that name no scope need a session.',
    ].join('\n'),
  },
}

/** The components of the document beside its schemas. */
export const componentsWith = (schemas: ReadonlyMap<string, Schema>, contracts: readonly Contract<Access>[]) => ({
  schemas: { ...envelopes, ...Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))) },
  responses: sharedAnswersOf(contracts),
  examples: errorExamples,
  parameters,
  headers,
  securitySchemes,
})
