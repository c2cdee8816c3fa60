import * as z from 'zod/mini'

/** A pattern of EventBridge as far as the guide goes: every name must match one of its list of exact values. */
export interface Pattern {
  [name: string]: string[] | Pattern
}

export const Pattern: z.ZodMiniType<Pattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(z.string()), Pattern])),
)

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Whether a rule with the pattern would pick the event. */
export const matches = (pattern: Pattern, event: unknown): boolean =>
  isRecord(event) &&
  Object.entries(pattern).every(([name, expected]) =>
    Array.isArray(expected) ? expected.includes(String(event[name])) : matches(expected, event[name]),
  )
