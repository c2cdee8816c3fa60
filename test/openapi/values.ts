/** JSON, or a part of it, with every text replaced; keys stay. */
export const mapTexts = (node: unknown, map: (text: string) => unknown): unknown => {
  if (typeof node === 'string') return map(node)
  if (Array.isArray(node)) return node.map((each) => mapTexts(each, map))
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapTexts(value, map)]))
}

/** Every text in a JSON value, with the path to it. */
export const textsIn = (node: unknown, path: readonly string[] = []): { path: readonly string[]; text: string }[] => {
  if (typeof node === 'string') return [{ path, text: node }]
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]) => textsIn(value, [...path, key]))
}

export const valueAt = (node: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null | undefined)?.[key], node)

/** Replaces each text of the map wherever it stands, the longest first. */
export const replaceAll = (text: string, map: ReadonlyMap<string, string>): string => {
  let replaced = text
  for (const [from, to] of [...map].sort(([a], [b]) => b.length - a.length)) replaced = replaced.replaceAll(from, to)
  return replaced
}
