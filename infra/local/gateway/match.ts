import type { PathPlan } from '../template/api.ts'

/** The path of the API that a request meets, with the values of its parameters. */
export interface Match {
  plan: PathPlan
  params: Readonly<Record<string, string>>
}

/** A segment of a pattern; one with a name is a parameter, a greedy one matches everything that follows. */
interface Segment {
  text: string
  name: string | undefined
  greedy: boolean
}

const readSegment = (text: string): Segment => {
  const [, name, greedy] = /^\{(\w+)(\+?)\}$/.exec(text) ?? []
  return { text, name, greedy: greedy === '+' }
}

/** How closely a segment is written: a literal before a parameter before `{proxy+}`. */
const looseness = (segment: Segment | undefined) => {
  if (segment?.name === undefined) return 0
  return segment.greedy ? 2 : 1
}

const paramsOf = (pattern: readonly Segment[], path: readonly string[]): Record<string, string> | undefined => {
  const params: Record<string, string> = {}
  for (const [index, { text, name, greedy }] of pattern.entries()) {
    const value = greedy ? path.slice(index).join('/') : (path[index] ?? '')
    if (name === undefined ? value !== text : value === '') return undefined
    if (name !== undefined) params[name] = decodeURIComponent(value)
    if (greedy) return params
  }
  return path.length === pattern.length ? params : undefined
}

/** API Gateway treats `/posts/` as `/posts` (github.com/aws/aws-sam-cli, pull request 1495); the event keeps the slash. */
const segments = (path: string) => path.replace(/\/$/, '').split('/').slice(1)

/** Finds the path for a request, the most literal first; throws URIError if a parameter is not well encoded. */
export const makeMatcher = (paths: readonly PathPlan[]): ((path: string) => Match | undefined) => {
  const patterns = paths
    .map((plan) => ({ plan, pattern: segments(plan.path).map(readSegment) }))
    .sort((a, b) => {
      const length = Math.max(a.pattern.length, b.pattern.length)
      for (let at = 0; at < length; at += 1) {
        const difference = looseness(a.pattern[at]) - looseness(b.pattern[at])
        if (difference !== 0) return difference
      }
      return 0
    })
  return (path) => {
    const parts = segments(path)
    for (const { plan, pattern } of patterns) {
      const params = paramsOf(pattern, parts)
      if (params !== undefined) return { plan, params }
    }
    return undefined
  }
}
