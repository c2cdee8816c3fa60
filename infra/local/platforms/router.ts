import type { Route } from './standin.ts'

/** The route for a method and path, with the params its pattern names. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>>,
  query: URLSearchParams,
): { route: Route; params: Record<string, string> } | undefined {
  for (const route of routes) {
    if (route.method !== method || route.when?.(headers, query, path) === false) continue
    const params = matchPath(route.path, path)
    if (params !== undefined) return { route, params }
  }
  return undefined
}

/** The path for a request with a trailing slash. */
export const withoutTrailingSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  if (pattern === '/*') return {}
  const expected = pattern.split('/')
  const given = path.split('/')
  if (expected.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = decode(value)
    else if (segment !== value) return undefined
  }
  return params
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
