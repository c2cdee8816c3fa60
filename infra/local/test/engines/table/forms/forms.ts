import { formsOfExpression, type Marked } from './expressions.ts'

/** A request to a table, and the names of its rejection: the error, and the codes of its reasons. */
export interface Call {
  operation: string
  input: unknown
  errors: readonly string[]
}

/** What a table is called with; each kind is counted by itself. */
export interface Forms {
  operations: Set<string>
  parameters: Set<string>
  expressions: Set<string>
  values: Set<string>
  errors: Set<string>
}

export const noForms = (): Forms => ({
  operations: new Set(),
  parameters: new Set(),
  expressions: new Set(),
  values: new Set(),
  errors: new Set(),
})

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parameters whose value is a choice, or a number of which the size matters not. */
const isChoice = (name: string, value: unknown) =>
  typeof value === 'boolean' || name.startsWith('Return') || name === 'Select'

/** Parameters that hold attributes by their names. */
const holders = ['Item', 'Key', 'ExclusiveStartKey', 'ExpressionAttributeValues']

const addValues = (forms: Forms, value: unknown): void => {
  if (Array.isArray(value)) for (const item of value) addValues(forms, item)
  else if (isRecord(value)) {
    for (const [type, content] of Object.entries(value)) {
      forms.values.add(type)
      if (type === 'L') addValues(forms, content)
      if (type === 'M') addAttributes(forms, content)
    }
  }
}

const addAttributes = (forms: Forms, attributes: unknown): void => {
  if (isRecord(attributes)) for (const value of Object.values(attributes)) addValues(forms, value)
}

/** Adds the parameters of an input, and what they hold; `path` is the operation and the parts that lead to it. */
const addParameters = (forms: Forms, path: string, input: Record<string, unknown>): void => {
  for (const [name, value] of Object.entries(input)) {
    const parameter = `${path} ${name}`
    forms.parameters.add(isChoice(name, value) ? `${parameter} ${String(value)}` : parameter)
    if (name.endsWith('Expression')) {
      for (const form of formsOfExpression(name, String(value), input as Marked))
        forms.expressions.add(`${name} ${form}`)
    } else if (holders.includes(name)) addAttributes(forms, value)
    else if (name === 'Keys') for (const key of value as unknown[]) addAttributes(forms, key)
    else if (name === 'RequestItems') {
      for (const ofTable of Object.values(value as object)) addParts(forms, path, ofTable)
    } else if (name === 'TransactItems') addParts(forms, path, value)
    else if (isRecord(value) && !name.startsWith('ExpressionAttribute')) addParameters(forms, `${path} ${name}`, value)
  }
}

/** Adds the parts of a request about several items: a list of them, or one table's. */
const addParts = (forms: Forms, path: string, parts: unknown): void => {
  for (const part of [parts].flat()) if (isRecord(part)) addParameters(forms, path, part)
}

const invalid = ['ValidationException', 'SerializationException', 'UnknownOperationException']

/** Adds the forms of a call. Of one that was refused as invalid, only the refusal counts. */
export const addForms = (forms: Forms, { operation, input, errors }: Call): void => {
  forms.operations.add(operation)
  for (const error of errors) forms.errors.add(error)
  if (!errors.some((error) => invalid.includes(error)) && isRecord(input)) addParameters(forms, operation, input)
}
