import type { Action, Condition, Operand, Path, Term } from '../../../../engines/table/expression/nodes.ts'
import { parseCondition } from '../../../../engines/table/expression/parse-condition.ts'
import { parseUpdate } from '../../../../engines/table/expression/parse-update.ts'
import { Placeholders } from '../../../../engines/table/expression/placeholders.ts'
import { parseProjection } from '../../../../engines/table/expression/project.ts'
import { typeOf } from '../../../../engines/table/value.ts'

/** An input with expressions and their placeholders. */
export interface Marked {
  ExpressionAttributeNames?: Readonly<Record<string, string>>
  ExpressionAttributeValues?: Readonly<Record<string, unknown>>
}

const ofPath = ([, ...rest]: Path) =>
  ['name', ...rest.map((step) => (typeof step === 'number' ? '[n]' : '.name'))].join('')

/** A term without its names and values: `if_not_exists(name, N) + N`. */
const ofTerm = (term: Term): string => {
  switch (term.is) {
    case 'path':
      return ofPath(term.path)
    case 'value':
      return typeOf(term.value)
    case 'size':
      return `size(${ofTerm(term.of)})`
    case 'default':
      return `if_not_exists(${ofPath(term.path)}, ${ofTerm(term.otherwise)})`
    case 'append':
      return `list_append(${ofTerm(term.left)}, ${ofTerm(term.right)})`
    default:
      return `${ofTerm(term.left)} ${term.is === 'plus' ? '+' : '-'} ${ofTerm(term.right)}`
  }
}

/** The forms of a condition, part by part. */
const ofCondition = (condition: Condition): string[] => {
  const terms = (...of: readonly Operand[]) => of.map(ofTerm)
  switch (condition.is) {
    case 'and':
    case 'or':
      return [condition.is.toUpperCase(), ...ofCondition(condition.left), ...ofCondition(condition.right)]
    case 'not':
      return ['NOT', ...ofCondition(condition.of)]
    case 'exists':
      return [`attribute_exists(${ofPath(condition.path)})`]
    case 'absent':
      return [`attribute_not_exists(${ofPath(condition.path)})`]
    case 'type':
      return [`attribute_type(${ofPath(condition.path)}, ${condition.type})`]
    case 'begins':
      return [`begins_with(${terms(condition.left, condition.right).join(', ')})`]
    case 'contains':
      return [`contains(${terms(condition.left, condition.right).join(', ')})`]
    case 'in':
      return condition.of.map((item) => `${ofTerm(condition.operand)} IN (${ofTerm(item)})`)
    case 'between':
      return [`${ofTerm(condition.operand)} BETWEEN ${terms(condition.low, condition.high).join(' AND ')}`]
    default:
      return [`${ofTerm(condition.left)} ${condition.sign} ${ofTerm(condition.right)}`]
  }
}

const ofAction = (action: Action): string => {
  const path = ofPath(action.path)
  if (action.is === 'set') return `SET ${path} = ${ofTerm(action.to)}`
  return action.is === 'remove' ? `REMOVE ${path}` : `${action.is.toUpperCase()} ${path} ${typeOf(action.value)}`
}

const readForms = (parameter: string, text: string, input: Marked): string[] => {
  const marks = new Placeholders(input.ExpressionAttributeNames, input.ExpressionAttributeValues)
  if (parameter === 'UpdateExpression') return parseUpdate(text, marks).map(ofAction)
  if (parameter === 'ProjectionExpression') return parseProjection(text, marks).map(ofPath)
  return ofCondition(parseCondition(text, parameter, marks))
}

/** By what the forms follow from; a service writes the same expressions all the time. */
const known = new Map<string, readonly string[]>()
const maxKnown = 10_000

/** The forms of an expression, by the parameter that holds it. Throws where it is none. */
export const formsOfExpression = (parameter: string, text: string, input: Marked): readonly string[] => {
  const types = Object.values(input.ExpressionAttributeValues ?? {}).map((value) => Object.keys(value as object)[0])
  const key = [parameter, text, ...types].join()
  const forms = known.get(key) ?? readForms(parameter, text, input)
  if (known.size > maxKnown) known.clear()
  known.set(key, forms)
  return forms
}
