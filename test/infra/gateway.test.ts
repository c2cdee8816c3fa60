import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { everyRoute } from '../../functions/routes.ts'
import { gatewayBody } from '../../infra/openapi/gateway.ts'
import { answersHead } from '../../shared/http/contract.ts'

const body = gatewayBody(
  'https://api.example.com',
  everyRoute.map((route) => ({ route, functionArn: `arn:${route.name}` })),
  { invokeUri: (arn) => `invoke ${arn}`, callerArn: 'caller' },
)

const headers = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([name, value]) => [`method.response.header.${name}`, `'${value}'`]))

test('each route invokes its own function, in the role of the API', () => {
  for (const { name, endpoint } of everyRoute) {
    const { method, path } = endpoint.contract
    expect(body.paths[path]?.[method.toLowerCase()]).toMatchObject({
      'x-amazon-apigateway-integration': {
        type: 'aws_proxy',
        httpMethod: 'POST',
        uri: `invoke arn:${name}`,
        credentials: 'caller',
      },
    })
  }
})

test('each path answers other methods with 405 and Allow, and preflight requests without a function', () => {
  for (const path of new Set(everyRoute.map(({ endpoint }) => endpoint.contract.path))) {
    const methods = everyRoute
      .filter(({ endpoint }) => endpoint.contract.path === path)
      .map(({ endpoint }) => endpoint.contract)
    const head = methods.some(answersHead) ? ['HEAD'] : []
    const allow = [...methods.map(({ method }) => method), ...head, 'OPTIONS'].join(', ')
    const item = body.paths[path] ?? {}
    expect(item['x-amazon-apigateway-any-method']).toMatchObject({
      'x-amazon-apigateway-integration': {
        type: 'mock',
        responses: { default: { statusCode: '405', responseParameters: headers({ Allow: allow }) } },
      },
    })
    expect(item['options']).toMatchObject({
      'x-amazon-apigateway-integration': {
        responses: {
          default: {
            statusCode: '200',
            responseParameters: headers({
              'Access-Control-Allow-Origin': '*',
              'Access-Control-Allow-Methods': allow,
            }),
          },
        },
      },
    })
  }
})

test('any other path returns 404', () => {
  expect(body.paths['/{proxy+}']?.['x-amazon-apigateway-any-method']).toMatchObject({
    'x-amazon-apigateway-integration': { responses: { default: { statusCode: '404' } } },
  })
})

const Mock = z.object({
  'x-amazon-apigateway-integration': z.object({
    responses: z.object({
      default: z.object({ statusCode: z.literal('404'), responseTemplates: z.record(z.string(), z.string()) }),
    }),
  }),
})

test('a GET of any other path returns a page or the envelope, chosen by a template that Velocity reads as we do', () => {
  const { get } = body.paths['/{proxy+}'] ?? {}
  const { default: answer } = z.parse(Mock, get)['x-amazon-apigateway-integration'].responses
  const template = answer.responseTemplates['application/json'] ?? ''
  const lines = template.split('\n')
  const directives = lines.filter((line) => line.startsWith('#'))
  expect(directives.map((line) => /^#\w+/.exec(line)?.[0])).toEqual([
    '#set',
    '#if',
    ...Array(4).fill('#set'),
    '#else',
    '#end',
  ])
  expect(directives.slice(0, 2)).toEqual([
    `#set($accept = "$!input.params('Accept') $!input.params('accept')")`,
    `#if($accept.contains('text/html') && !$accept.contains('application/json'))`,
  ])
  const overridden = directives.map((line) => /responseOverride\.header\.([\w-]+) = "([^"$]+)"\)$/.exec(line)?.[1])
  expect(overridden.filter(Boolean)).toEqual([
    'Content-Type',
    'Content-Security-Policy',
    'Cross-Origin-Opener-Policy',
    'Referrer-Policy',
  ])
  const [page = '', envelope = ''] = template.replace(/^#(?:set|if|end).*\n?/gm, '').split('\n#else\n')
  expect(page).toContain('href="https://api.example.com/api/docs"')
  // Velocity reads a $ or # before a name; of these, colors are none.
  expect(page).not.toMatch(/\$|##|#[*[{@]|#(?![\da-f]{3,8}[;,})])/)
  expect(JSON.parse(envelope)).toMatchObject({
    code: 'route_not_found',
    requestId: '$context.extendedRequestId',
  })
})

test('every path parameter is declared', () => {
  for (const [path, item] of Object.entries(body.paths)) {
    const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => ({ name, in: 'path' }))
    expect(item['parameters'] ?? []).toMatchObject(names)
  }
})

test('errors of API Gateway have the error envelope and CORS headers', () => {
  const answers = body['x-amazon-apigateway-gateway-responses']
  for (const type of ['DEFAULT_4XX', 'DEFAULT_5XX', 'REQUEST_TOO_LARGE', 'THROTTLED', 'WAF_FILTERED']) {
    const answer = answers[type]
    expect(JSON.parse(answer?.responseTemplates['application/json'] ?? '')).toMatchObject({
      success: false,
      error: expect.stringMatching(/\w/),
      requestId: '$context.extendedRequestId',
      docUrl: expect.stringMatching(/^https:\/\/api\.example\.com\/api\/docs\/errors\/\w+$/),
    })
    expect(answer?.responseParameters).toMatchObject({
      'gatewayresponse.header.Access-Control-Allow-Origin': "'*'",
    })
  }
  expect(answers['REQUEST_TOO_LARGE']).toMatchObject({ statusCode: '413' })
  expect(answers['THROTTLED']).toMatchObject({ statusCode: '429' })
})

test('paths that differ only in a parameter name use the same name, as API Gateway requires', () => {
  const names = new Map<string, string>()
  for (const path of Object.keys(body.paths)) {
    for (const { index, 0: part } of path.matchAll(/\{\w+\}/g)) {
      const before = path.slice(0, index).replace(/\{\w+\}/g, '{}')
      expect(names.get(before) ?? part, path).toBe(part)
      names.set(before, part)
    }
  }
  expect(names.size).toBeGreaterThan(2)
})
