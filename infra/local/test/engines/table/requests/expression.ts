import type { Value } from '../../../../engines/table/value.ts'

/** A piece of an expression: literal text, a name or a value behind a placeholder. */
type Piece = string | { name: string } | { value: Value }
export type Expression = readonly Piece[]

export const named = (name: string): Expression => [{ name }]
export const valued = (value: Value): Expression => [{ value }]

/** Puts expressions together: e`${path} = ${operand}`. */
export const e = (texts: TemplateStringsArray, ...parts: readonly (Expression | string)[]): Expression =>
  texts.flatMap((text, at) => [text, ...[parts[at] ?? []].flat()])

export const listed = (parts: readonly Expression[], between: string): Expression =>
  parts.flatMap((part, at) => (at === 0 ? part : [between, ...part]))

/** Writes the expressions of one request, as parameters by their names, with one set of placeholders. */
export const render = (expressions: Readonly<Record<string, Expression | null | undefined>>) => {
  const names = new Map<string, string>()
  const values: Record<string, Value> = {}
  const write = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    if ('name' in piece) {
      const mark = names.get(piece.name) ?? `#n${names.size}`
      names.set(piece.name, mark)
      return mark
    }
    const mark = `:v${Object.keys(values).length}`
    values[mark] = piece.value
    return mark
  }
  const texts = Object.entries(expressions).flatMap(([parameter, expression]) =>
    expression ? [[parameter, expression.map(write).join('')] as const] : [],
  )
  return {
    ...Object.fromEntries(texts),
    ...(names.size > 0
      ? { ExpressionAttributeNames: Object.fromEntries([...names].map(([name, mark]) => [mark, name])) }
      : {}),
    ...(Object.keys(values).length > 0 ? { ExpressionAttributeValues: values } : {}),
  }
}
