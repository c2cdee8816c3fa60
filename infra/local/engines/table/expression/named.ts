import type { Condition, Operand } from './nodes.ts'

const inOperand = (operand: Operand): string[] => {
  if (operand.is === 'path') return [operand.path[0]]
  return operand.is === 'size' ? inOperand(operand.of) : []
}

/** The attributes that a condition names. */
export const namedIn = (condition: Condition): string[] => {
  switch (condition.is) {
    case 'and':
    case 'or':
      return [...namedIn(condition.left), ...namedIn(condition.right)]
    case 'not':
      return namedIn(condition.of)
    case 'exists':
    case 'absent':
    case 'type':
      return [condition.path[0]]
    case 'between':
      return [condition.operand, condition.low, condition.high].flatMap(inOperand)
    case 'in':
      return [condition.operand, ...condition.of].flatMap(inOperand)
    default:
      return [condition.left, condition.right].flatMap(inOperand)
  }
}
