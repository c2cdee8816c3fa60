import { loadAwsServiceSpecSync } from '@aws-cdk/aws-service-spec'
import type { PropertyType, ResourceProperties, SpecDatabase } from '@aws-cdk/service-spec-types'

/** CloudFormation's own description of every resource type, as a package (Apache-2.0). */
const open = (): SpecDatabase => loadAwsServiceSpecSync()

let opened: SpecDatabase | undefined
const database = () => {
  opened ??= open()
  return opened
}

/** What CloudFormation computes when it deploys; its type is not known before. */
const isIntrinsic = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const keys = Object.keys(value)
  return keys.length === 1 && (keys[0] === 'Ref' || keys[0]?.startsWith('Fn::') === true)
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const faultsOfProperties = (
  values: Record<string, unknown>,
  properties: ResourceProperties,
  path: string,
): string[] => [
  ...Object.keys(values)
    .filter((name) => properties[name] === undefined)
    .map((name) => `${path}.${name} does not exist`),
  ...Object.entries(properties).flatMap(([name, { required, type, previousTypes = [] }]) => {
    const value = values[name]
    if (value === undefined) return required ? [`${path}.${name} is required`] : []
    const faults = [type, ...previousTypes].map((candidate) => faultsOf(value, candidate, `${path}.${name}`))
    return faults.find((problems) => problems.length === 0) ?? faults[0] ?? []
  }),
]

const oneOf = <T>(value: T, allowed: readonly T[] | undefined, path: string): string[] =>
  allowed === undefined || allowed.includes(value) ? [] : [`${path} is ${String(value)}, not ${allowed.join(' or ')}`]

const wrong = (value: unknown, expected: string, path: string) => [
  `${path} is ${JSON.stringify(value)}, not ${expected}`,
]

const faultsOf = (value: unknown, type: PropertyType, path: string): string[] => {
  if (isIntrinsic(value) || type.type === 'json') return []
  switch (type.type) {
    case 'string':
      return typeof value === 'string' ? oneOf(value, type.allowedValues, path) : wrong(value, 'text', path)
    case 'integer':
      return Number.isInteger(value)
        ? oneOf(value as number, type.allowedValues, path)
        : wrong(value, 'an integer', path)
    case 'number':
      return typeof value === 'number' ? [] : wrong(value, 'a number', path)
    case 'boolean':
      return typeof value === 'boolean' ? [] : wrong(value, 'a boolean', path)
    case 'array':
      if (!Array.isArray(value)) return wrong(value, 'a list', path)
      return value.flatMap((item, at) => faultsOf(item, type.element, `${path}.${at}`))
    case 'map':
      if (!isMap(value)) return wrong(value, 'a map', path)
      return Object.entries(value).flatMap(([name, item]) => faultsOf(item, type.element, `${path}.${name}`))
    case 'ref': {
      if (!isMap(value)) return wrong(value, 'an object', path)
      const { properties } = database().get('typeDefinition', type.reference.$ref)
      return faultsOfProperties(value, properties, path)
    }
    case 'union': {
      const faults = type.types.map((type) => faultsOf(value, type, path))
      return faults.find((problems) => problems.length === 0) ?? faults[0] ?? []
    }
    case 'tag':
      return isMap(value) && 'Key' in value && 'Value' in value ? [] : wrong(value, 'a tag', path)
    case 'date-time':
      return typeof value === 'string' ? [] : wrong(value, 'a date', path)
    case 'null':
      return value === null ? [] : wrong(value, 'null', path)
  }
}

/** The properties of a resource that CloudFormation would refuse: types, required properties, and enums. */
export const faultsOfResource = (type: string, properties: Record<string, unknown>): string[] => {
  const [resource, ...others] = database().lookup('resource', 'cloudFormationType', 'equals', type)
  if (resource === undefined || others.length > 0) return [`${type} does not exist`]
  return faultsOfProperties(properties, resource.properties, type)
}
