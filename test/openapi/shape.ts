/** Members that depend on how much there is, not on the operation. */
const sometimes = new Set(['nextCursor', 'duration'])

/** Members whose keys are data: platforms, a JSON Schema, the fields of an entry of the audit trail, the data of an event. */
const open = new Set(['platformContent', 'platformMedia', 'metadata', 'before', 'after', 'data', 'schema'])

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value)

const merged = (items: readonly unknown[]): unknown => {
  const objects = items.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item))
  return objects.length === 0 ? items[0] : Object.assign({}, ...objects)
}

/** Where two JSON values have other keys, or values of other types. What is null or empty in one fits everything. */
export const shapeFaults = (example: unknown, real: unknown, path = 'data'): string[] => {
  if (example === null || real === null) return []
  if (kindOf(example) !== kindOf(real)) return [`${path} is ${kindOf(real)}, in the example ${kindOf(example)}`]
  if (Array.isArray(example) && Array.isArray(real)) {
    if (example.length === 0 || real.length === 0) return []
    return shapeFaults(merged(example), merged(real), `${path}[]`)
  }
  if (typeof example !== 'object' || typeof real !== 'object') return []
  const [ours, theirs] = [new Map(Object.entries(example)), new Map(Object.entries(real))]
  return [
    ...[...theirs.keys()]
      .filter((key) => !ours.has(key) && !sometimes.has(key))
      .map(
        (key) =>
          `${path}.${key} is not in the example: run RECORD_EXAMPLES=1 npx vitest run test/openapi/examples.law.ts`,
      ),
    ...[...ours].flatMap(([key, value]) => {
      if (theirs.has(key)) return open.has(key) ? [] : shapeFaults(value, theirs.get(key), `${path}.${key}`)
      return sometimes.has(key) ? [] : [`${path}.${key} is not in the response`]
    }),
  ]
}
