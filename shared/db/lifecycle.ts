import type { Entity } from './entity.ts'
import { anyOf, type Change, type Condition, equal } from './expression.ts'
import type { notSwept } from './sweep-at.ts'
import type { Key } from './table.ts'

/** The attributes that a transition can remove: the optional ones, and the entry in the sweep index. */
type Clearable<Row> =
  | { [Name in keyof Row & string]: undefined extends Row[Name] ? Name : never }[keyof Row & string]
  | (typeof notSwept)[number]

interface Transition<State extends string, Row> {
  /** The actor of a transition. No write performs the transitions of `time`. */
  by: string
  /** The states that it leads from, each with its target states. */
  moves: Partial<Readonly<Record<State, readonly (State | 'deleted')[]>>>
  /** The attributes that it removes from the row. */
  clears: readonly Clearable<Row>[]
}

type Moves = Readonly<Record<string, readonly string[]>>

/** Every state that a transition leads from is a state of the lifecycle. */
type FromKnown<State, Transitions> = {
  [Name in keyof Transitions]: Transitions[Name] extends { moves: infer M }
    ? { moves: { [From in keyof M]: From extends State ? unknown : never } }
    : never
}

type StateAfter<T> = T extends { moves: infer M }
  ? M[keyof M] extends readonly (infer State)[]
    ? State
    : never
  : never

/**
 * Declares the states of a row and everything that happens to it. `states` says which value of the status attribute each
 * state has. The target of a transition is derived, so no write can set a status that the table does not know.
 */
export const defineLifecycle = <
  Row,
  Parts,
  Attribute extends keyof Row & string,
  const States extends Readonly<Record<string, Row[Attribute] & string>>,
  const Transitions extends Readonly<Record<string, Transition<keyof States & string, Row>>>,
>(spec: {
  entity: Entity<Row, Parts>
  /** The attribute that stores the status. */
  attribute: Attribute
  states: States
  transitions: Transitions & FromKnown<keyof States, Transitions>
}) => {
  type Name = keyof Transitions & string
  type State = keyof States & string
  /** The status after a transition, as a literal type. */
  type Target<N extends Name> = States[StateAfter<Transitions[N]> & keyof States]
  /** The status follows from the transition. */
  type ChangeWithoutStatus = Change & { set?: { readonly [A in Attribute]?: never } }

  const { entity, attribute, states, transitions } = spec
  const movesOf = (name: Name): Moves => transitions[name]?.moves as Moves
  const statesBefore = (name: Name): string[] => Object.keys(movesOf(name))
  const statusesAfter = (name: Name) =>
    new Set(Object.values(movesOf(name)).flatMap((after) => after.flatMap((state) => states[state] ?? [])))
  const changesStatus = (name: Name) =>
    Object.entries(movesOf(name)).some(([from, after]) =>
      after.some((to) => to in states && states[to] !== states[from]),
    )

  const to = <N extends Name>(name: N): Target<N> => {
    const [status, other] = statusesAfter(name)
    if (status === undefined || other !== undefined) throw new Error(`${name} does not lead to one status`)
    return status as Target<N>
  }
  const change = (name: Name, { set, remove = [], ...rest }: ChangeWithoutStatus): Change => {
    const all: Change['set'] = changesStatus(name) ? { ...set, [attribute]: to(name) } : set
    const clears: readonly string[] = transitions[name]?.clears ?? []
    return {
      ...rest,
      ...(all === undefined ? {} : { set: all }),
      remove: [...clears, ...remove].filter((cleared) => all?.[cleared] === undefined),
    }
  }
  return {
    transitions: transitions as Transitions,
    to,
    /** Whether a state allows a transition. */
    mayFollow: (name: Name, from: State): boolean => Object.hasOwn(movesOf(name), from),
    /** The row has a status that allows a transition. */
    when: (name: Name): Condition =>
      anyOf(
        ...[...new Set(statesBefore(name).map((state) => states[state]))].map((status) => equal(attribute, status)),
      ),
    /** The change of a transition: the attributes that it sets, adds, and clears, and the status. */
    change,
    /** The same as a write. */
    write: (name: Name, row: Parts, parts: ChangeWithoutStatus, when: Condition) => ({
      update: entity.key(row) satisfies Key,
      change: change(name, parts),
      when,
    }),
  }
}
