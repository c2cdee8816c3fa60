/**
 * A condition on an item, compiled only with placeholders, so that no value can become syntax. A dot in a name selects
 * a map attribute: `attempt.version`.
 */
export type Condition =
  | { is: 'equal' | 'below' | 'above' | 'at-most' | 'at-least' | 'begins'; name: string; value: unknown }
  | { is: 'between'; name: string; value: unknown; to: unknown }
  | { is: 'present' | 'absent'; name: string }
  | { is: 'anyOf' | 'allOf'; of: readonly Condition[] }

export const equal = (name: string, value: unknown): Condition => ({ is: 'equal', name, value })
export const below = (name: string, value: unknown): Condition => ({ is: 'below', name, value })
export const above = (name: string, value: unknown): Condition => ({ is: 'above', name, value })
export const atMost = (name: string, value: unknown): Condition => ({ is: 'at-most', name, value })
export const atLeast = (name: string, value: unknown): Condition => ({ is: 'at-least', name, value })
export const between = (name: string, value: unknown, to: unknown): Condition => ({ is: 'between', name, value, to })
export const begins = (name: string, value: string): Condition => ({ is: 'begins', name, value })
export const present = (name: string): Condition => ({ is: 'present', name })
export const absent = (name: string): Condition => ({ is: 'absent', name })
/** The attribute as read: it has that value, or does not exist. */
export const asStored = (name: string, value: unknown): Condition =>
  value === undefined ? absent(name) : equal(name, value)
export const anyOf = (...of: readonly Condition[]): Condition => ({ is: 'anyOf', of })
export const allOf = (...of: readonly Condition[]): Condition => ({ is: 'allOf', of })

/** The parts of an UpdateItem: attributes to set, to set once, to add to, and to remove. */
export interface Change {
  set?: Readonly<Record<string, unknown>>
  /** Set only if the attribute does not exist. */
  setOnce?: Readonly<Record<string, unknown>>
  add?: Readonly<Record<string, number>>
  remove?: readonly string[]
}

export interface Compiled {
  UpdateExpression?: string
  ConditionExpression?: string
  KeyConditionExpression?: string
  FilterExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, unknown>
}

const signs = { equal: '=', below: '<', above: '>', 'at-most': '<=', 'at-least': '>=' } as const

/** Compiles a change and conditions into one set of placeholders. */
export const compile = (parts: {
  change?: Change
  when?: Condition
  key?: Condition
  filter?: Condition
}): Compiled => {
  const names = new Map<string, string>()
  const values: Record<string, unknown> = {}
  const markOf = (name: string) => {
    const known = names.get(name)
    if (known !== undefined) return known
    const mark = `#n${names.size}`
    names.set(name, mark)
    return mark
  }
  const nameMark = (path: string) => path.split('.').map(markOf).join('.')
  const valueMark = (value: unknown) => {
    const mark = `:v${Object.keys(values).length}`
    values[mark] = value
    return mark
  }
  const text = (condition: Condition): string => {
    switch (condition.is) {
      case 'present':
        return `attribute_exists(${nameMark(condition.name)})`
      case 'absent':
        return `attribute_not_exists(${nameMark(condition.name)})`
      case 'begins':
        return `begins_with(${nameMark(condition.name)}, ${valueMark(condition.value)})`
      case 'between':
        return `${nameMark(condition.name)} BETWEEN ${valueMark(condition.value)} AND ${valueMark(condition.to)}`
      case 'anyOf':
        return `(${condition.of.map(text).join(' OR ')})`
      case 'allOf':
        return `(${condition.of.map(text).join(' AND ')})`
      default:
        return `${nameMark(condition.name)} ${signs[condition.is]} ${valueMark(condition.value)}`
    }
  }
  const clause = (word: string, parts: readonly string[]) => (parts.length > 0 ? `${word} ${parts.join(', ')}` : '')
  const update = (change: Change) => {
    const set = Object.entries(change.set ?? {}).filter(([, value]) => value !== undefined)
    const once = Object.entries(change.setOnce ?? {}).filter(([, value]) => value !== undefined)
    return [
      clause('SET', [
        ...set.map(([name, value]) => `${nameMark(name)} = ${valueMark(value)}`),
        ...once.map(([name, value]) => `${nameMark(name)} = if_not_exists(${nameMark(name)}, ${valueMark(value)})`),
      ]),
      clause(
        'ADD',
        Object.entries(change.add ?? {}).map(([name, by]) => `${nameMark(name)} ${valueMark(by)}`),
      ),
      clause('REMOVE', (change.remove ?? []).map(nameMark)),
    ]
      .filter((part) => part !== '')
      .join(' ')
  }
  const compiled: Partial<Compiled> = {}
  if (parts.change) compiled.UpdateExpression = update(parts.change)
  if (parts.when) compiled.ConditionExpression = text(parts.when)
  if (parts.key) compiled.KeyConditionExpression = text(parts.key)
  if (parts.filter) compiled.FilterExpression = text(parts.filter)
  return {
    ...compiled,
    ...(names.size > 0
      ? { ExpressionAttributeNames: Object.fromEntries([...names].map(([name, mark]) => [mark, name])) }
      : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  }
}
