import type { IncomingHttpHeaders } from 'node:http'
import type { CorsRule } from '../../template/stores.ts'
import { S3Error } from './error.ts'

/** `https://*.example.com`: one star stands for anything. */
function fits(pattern: string, text: string): boolean {
  const [start = '', end] = pattern.toLowerCase().split('*')
  const value = text.toLowerCase()
  if (end === undefined) return value === start
  return value.length >= start.length + end.length && value.startsWith(start) && value.endsWith(end)
}

function matchRule(rules: CorsRule[], origin: string, method: string, headers: string[]): CorsRule | undefined {
  return rules.find(
    (rule) =>
      rule.origins.some((pattern) => fits(pattern, origin)) &&
      rule.methods.includes(method) &&
      headers.every((header) => rule.headers.some((pattern) => fits(pattern, header))),
  )
}

function describeRule(rule: CorsRule, origin: string): Record<string, string> {
  const isOpen = rule.origins.includes('*')
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-allow-methods': rule.methods.join(', '),
    ...(!isOpen && { 'access-control-allow-credentials': 'true' }),
    ...(rule.exposed.length > 0 && { 'access-control-expose-headers': rule.exposed.join(', ') }),
    vary: 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method',
  }
}

/** The CORS headers of a cross-origin response; none if no rule matches. */
export function corsHeaders(
  rules: CorsRule[],
  method: string,
  { origin }: IncomingHttpHeaders,
): Record<string, string> {
  const rule = origin === undefined ? undefined : matchRule(rules, origin, method, [])
  return rule && origin !== undefined ? describeRule(rule, origin) : {}
}

/** Answers a preflight by the rules of the bucket; no signature is required. */
export function preflightHeaders(rules: CorsRule[], headers: IncomingHttpHeaders): Record<string, string> {
  const { origin } = headers
  const method = headers['access-control-request-method']
  const requested = headers['access-control-request-headers']?.split(/\s*,\s*/).filter((name) => name !== '') ?? []
  if (!origin || !method)
    throw new S3Error('InvalidRequest', 'A preflight needs Origin and Access-Control-Request-Method.')
  const rule = matchRule(rules, origin, method, requested)
  if (!rule) throw new S3Error('AccessForbidden', 'No CORS rule of the bucket allows this request.')
  return {
    ...describeRule(rule, origin),
    ...(requested.length > 0 && { 'access-control-allow-headers': requested.join(', ').toLowerCase() }),
    ...(rule.maxAgeSeconds !== undefined && { 'access-control-max-age': String(rule.maxAgeSeconds) }),
  }
}
