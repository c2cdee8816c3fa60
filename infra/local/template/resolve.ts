import { accountId, region } from './account.ts'
import { namePhysical, type Physical } from './physical.ts'
import type { Stack } from './stack.ts'

/** Turns what templates say into values, as CloudFormation would when it deployed them. */
export interface Resolver {
  /** A value of a stack's template with every intrinsic function in it carried out. */
  resolve(stack: Stack, value: unknown): unknown
  physical(stack: Stack, id: string): Physical
}

type Evaluate = (argument: unknown) => unknown
type Intrinsic = (argument: unknown, evaluate: Evaluate, scope: Scope) => unknown

interface Scope {
  stack: Stack
  ref(id: string): unknown
  attribute(id: string, name: string): string
}

const asText = (value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new Error(`a template puts ${JSON.stringify(value)} where a text belongs`)
}

const asList = (value: unknown): readonly unknown[] => {
  if (Array.isArray(value)) return value
  throw new Error(`a template puts ${JSON.stringify(value)} where a list belongs`)
}

const reference = (path: string, scope: Scope): unknown => {
  const [id = '', ...attribute] = path.split('.')
  return attribute.length === 0 ? scope.ref(id) : scope.attribute(id, attribute.join('.'))
}

const substitute: Intrinsic = (argument, evaluate, scope) => {
  const [template, given = {}] = Array.isArray(argument) ? argument : [argument]
  const values = evaluate(given) as Record<string, unknown> // The second argument of Fn::Sub is a map.
  return asText(template).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, path: string) => {
    if (literal) return `\${${path}}`
    return asText(Object.hasOwn(values, path) ? values[path] : reference(path, scope))
  })
}

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, _evaluate, scope) => scope.ref(asText(argument)),
  'Fn::GetAtt': (argument, _evaluate, scope) => {
    const path = Array.isArray(argument) ? argument.map(asText).join('.') : asText(argument)
    return reference(path, scope)
  },
  'Fn::Join': (argument, evaluate) => {
    const [separator, parts] = asList(argument)
    return asList(evaluate(parts)).map(asText).join(asText(separator))
  },
  'Fn::Select': (argument, evaluate) => {
    const [index, list] = asList(argument)
    return asList(evaluate(list))[Number(evaluate(index))]
  },
  'Fn::Split': (argument, evaluate) => {
    const [separator, text] = asList(argument)
    return asText(evaluate(text)).split(asText(separator))
  },
  'Fn::Sub': substitute,
}

/** Evaluates depth first; a value that becomes AWS::NoValue is removed. */
const evaluateIn = (scope: Scope): Evaluate => {
  const evaluate: Evaluate = (value) => {
    if (Array.isArray(value)) return value.map(evaluate).filter((item) => item !== undefined)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value)
    const [only] = entries
    if (only && entries.length === 1) {
      const intrinsic = intrinsics[only[0]]
      if (intrinsic) return intrinsic(only[1], evaluate, scope)
      if (only[0].startsWith('Fn::')) throw new Error(`the local service does not carry out ${only[0]}`)
    }
    return Object.fromEntries(
      entries.map(([key, item]) => [key, evaluate(item)] as const).filter(([, item]) => item !== undefined),
    )
  }
  return evaluate
}

const pseudoParameters = (stack: Stack): Readonly<Record<string, string | undefined>> => ({
  'AWS::AccountId': accountId,
  'AWS::NoValue': undefined,
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${stack.name}/local`,
  'AWS::StackName': stack.name,
  'AWS::URLSuffix': 'amazonaws.com',
})

/** The type of a template's parameter whose value CloudFormation reads from Parameter Store. */
const stored = 'AWS::SSM::Parameter::Value<String>'

/** A resolver over all stacks of an app; what one stores in Parameter Store, the others read. */
export const makeResolver = (stacks: readonly Stack[]): Resolver => {
  const physical = (stack: Stack, id: string): Physical => {
    const resource = stack.Resources[id]
    if (resource === undefined) throw new Error(`the stack ${stack.name} has no resource ${id}`)
    const given = (property: string) => resolve(stack, resource.Properties[property])
    return namePhysical({ stackName: stack.name, id, type: resource.Type, given })
  }
  const storedAs = (name: unknown): unknown => {
    for (const stack of stacks) {
      for (const { Type, Properties } of Object.values(stack.Resources)) {
        if (Type === 'AWS::SSM::Parameter' && resolve(stack, Properties['Name']) === name) {
          return resolve(stack, Properties['Value'])
        }
      }
    }
    throw new Error(`no stack stores the parameter ${String(name)}`)
  }
  const resolve = (stack: Stack, value: unknown): unknown => {
    const pseudo = pseudoParameters(stack)
    return evaluateIn({
      stack,
      attribute: (id, name) => physical(stack, id).attribute(name),
      ref(id) {
        if (Object.hasOwn(pseudo, id)) return pseudo[id]
        const parameter = Object.hasOwn(stack.Parameters, id) ? stack.Parameters[id] : undefined
        if (parameter) return parameter.Type === stored ? storedAs(parameter.Default) : parameter.Default
        return physical(stack, id).ref
      },
    })(value)
  }
  return { resolve, physical }
}
