/** The table of transitions of a stored thing. */
export type Table = Readonly<
  Record<
    string,
    {
      by: string
      moves: Readonly<Record<string, readonly string[]>>
      clears: readonly string[]
    }
  >
>

const idOf = (state: string): string => state.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())

/** Every state of the table, in the order in which it is met. */
export const statesOf = (table: Table): string[] => [
  ...new Set(Object.values(table).flatMap(({ moves }) => Object.entries(moves).flat(2))),
]

const arrowsOf = (table: Table): string[] => {
  const arrows = new Map<string, string[]>()
  for (const [name, { moves }] of Object.entries(table)) {
    for (const [from, to] of Object.entries(moves).flatMap(([from, all]) => all.map((to) => [from, to] as const))) {
      const arrow = `${idOf(from)} --> ${to === 'deleted' ? '[*]' : idOf(to)}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), name])
    }
  }
  return [...arrows].map(([arrow, names]) => `${arrow}: ${names.join(', ')}`)
}

/** The diagram of a table, in the language of Mermaid; `first` are the states that a new thing begins in. */
export const drawDiagram = (table: Table, first: readonly string[]): string => {
  const states = statesOf(table).filter((state) => state !== 'deleted')
  const lines = [
    ...states.map((state) => `state "${state}" as ${idOf(state)}`),
    ...first.map((state) => `[*] --> ${idOf(state)}`),
    ...arrowsOf(table),
  ]
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n')
}

const listed = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')

/** The same as a table in Markdown. */
export const drawTable = (table: Table): string =>
  [
    '| Transition | By | From | Clears |',
    '| --- | --- | --- | --- |',
    ...Object.entries(table).map(
      ([name, { by, moves, clears }]) => `| \`${name}\` | ${by} | ${listed(Object.keys(moves))} | ${listed(clears)} |`,
    ),
  ].join('\n')
