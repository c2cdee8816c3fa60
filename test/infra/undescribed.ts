type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)
const entriesOf = (value: unknown): [string, Node][] =>
  isNode(value) ? Object.entries(value).flatMap(([key, each]) => (isNode(each) ? [[key, each]] : [])) : []
const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])

/** Whether a description has at least two words and a period. */
const hasWords = ({ description }: Node): boolean =>
  typeof description === 'string' && /\S \S/.test(description) && /[.:|`)]$/.test(description.trim())

/** Schemas inside of a schema that are about the same value. */
const facets = ['allOf', 'anyOf', 'oneOf'] as const
/** Schemas inside of a schema that are about values without a name: the description of the whole covers them. */
const parts = ['items', 'prefixItems', 'additionalProperties'] as const

/**
 * The parts of an OpenAPI document without a description: properties, parameters, headers, operations, tags, answers,
 * and named schemas. A property that is a reference has the description of the named schema.
 */
export const undescribed = (document: Node): string[] => {
  const missing: string[] = []
  const demand = (node: Node, location: string) => {
    if (!hasWords(node)) missing.push(location)
  }

  const schema = (node: Node, location: string): void => {
    for (const [name, property] of entriesOf(node['properties'])) {
      const here = `${location}.${name}`
      if (property['$ref'] === undefined) demand(property, here)
      schema(property, here)
    }
    for (const facet of facets) for (const each of nodesOf(node[facet])) schema(each, location)
    for (const part of parts) for (const each of nodesOf(node[part])) schema(each, `${location}[]`)
  }

  const content = (node: Node, location: string) => {
    for (const [, media] of entriesOf(node['content'])) if (isNode(media['schema'])) schema(media['schema'], location)
  }

  const operation = (node: Node, location: string) => {
    demand(node, location)
    for (const parameter of nodesOf(node['parameters'])) {
      if (parameter['$ref'] === undefined) demand(parameter, `${location} parameter ${parameter['name']}`)
    }
    if (isNode(node['requestBody'])) content(node['requestBody'], `${location} body`)
    for (const [status, response] of entriesOf(node['responses'])) {
      if (response['$ref'] === undefined) demand(response, `${location} ${status}`)
      content(response, `${location} ${status}`)
    }
  }

  const components = isNode(document['components']) ? document['components'] : {}
  for (const kind of ['schemas', 'parameters', 'headers', 'responses', 'securitySchemes']) {
    for (const [name, node] of entriesOf(components[kind])) {
      demand(node, name)
      schema(node, name)
      content(node, name)
    }
  }
  for (const paths of [document['paths'], document['webhooks']]) {
    for (const [path, item] of entriesOf(paths)) {
      for (const [method, node] of entriesOf(item)) operation(node, `${method} ${path}`)
    }
  }
  for (const tag of nodesOf(document['tags'])) demand(tag, `tag ${tag['name']}`)
  return missing
}
