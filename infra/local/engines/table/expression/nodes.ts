import type { TypeName, Value } from '../value.ts'

/** A path into an item: the name of an attribute, then names of map members and indexes of list elements. */
export type Path = readonly [string, ...(string | number)[]]

export type Operand = { is: 'path'; path: Path } | { is: 'value'; value: Value } | { is: 'size'; of: Operand }

export type Comparator = '=' | '<>' | '<' | '<=' | '>' | '>='

export type Condition =
  | { is: 'compare'; sign: Comparator; left: Operand; right: Operand }
  | { is: 'between'; operand: Operand; low: Operand; high: Operand }
  | { is: 'in'; operand: Operand; of: readonly Operand[] }
  | { is: 'exists' | 'absent'; path: Path }
  | { is: 'type'; path: Path; type: TypeName }
  | { is: 'begins' | 'contains'; left: Operand; right: Operand }
  | { is: 'and' | 'or'; left: Condition; right: Condition }
  | { is: 'not'; of: Condition }

export type Term =
  | Operand
  | { is: 'default'; path: Path; otherwise: Term }
  | { is: 'append'; left: Term; right: Term }
  | { is: 'plus' | 'minus'; left: Term; right: Term }

export type Action =
  | { is: 'set'; path: Path; to: Term }
  | { is: 'remove'; path: Path }
  | { is: 'add' | 'delete'; path: Path; value: Value }
