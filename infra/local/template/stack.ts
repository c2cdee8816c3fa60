import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const Resource = z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) })
export type Resource = z.infer<typeof Resource>

const Parameter = z.object({ Type: z._default(z.string(), 'String'), Default: z.optional(z.unknown()) })

const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z._default(z.record(z.string(), Parameter), {}),
})

/** One synthesized stack: its name, and its template as CloudFormation would read it. */
export interface Stack extends z.infer<typeof Template> {
  name: string
}

const Manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z.optional(z.object({ templateFile: z.optional(z.string()), stackName: z.optional(z.string()) })),
    }),
  ),
})

const readJson = (folder: string, file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'))

const Imported = z.object({ BodyS3Location: z.object({ Key: z.string() }) })

/** An API with the document that CloudFormation imports from the assets bucket, where the CDK stores it under its key. */
const withBody = (folder: string, resource: Resource): Resource => {
  if (resource.Type !== 'AWS::ApiGateway::RestApi') return resource
  const { Key } = z.parse(Imported, resource.Properties).BodyS3Location
  return { ...resource, Properties: { ...resource.Properties, Body: readJson(folder, `asset.${Key}`) } }
}

/** Creates a stack from a parsed template. */
export const parseStack = (name: string, template: unknown): Stack => ({ name, ...z.parse(Template, template) })

/** Templates that this process has read: tests start hundreds of services on the same ones. */
const known = new Map<string, { changedMs: number; stack: Stack }>()

const readStack = (name: string, folder: string, file: string): Stack => {
  const path = join(folder, file)
  const changedMs = statSync(path).mtimeMs
  const earlier = known.get(path)
  if (earlier?.changedMs === changedMs && earlier.stack.name === name) return earlier.stack
  const { Resources, ...template } = parseStack(name, readJson(folder, file))
  const resources = Object.entries(Resources).map(([id, resource]) => [id, withBody(folder, resource)])
  const stack = { ...template, Resources: Object.fromEntries(resources) }
  known.set(path, { changedMs, stack })
  return stack
}

/** Reads something of an app's stacks, and of the same stacks only once. */
export const oncePerStacks = <T>(read: (stacks: readonly Stack[]) => T): ((stacks: readonly Stack[]) => T) => {
  const known = new WeakMap<Stack, { stacks: readonly Stack[]; result: T }>()
  return (stacks) => {
    const [first] = stacks
    if (first === undefined) throw new Error('an app without stacks has nothing to read')
    const earlier = known.get(first)
    if (earlier?.stacks.length === stacks.length && earlier.stacks.every((stack, at) => stack === stacks[at])) {
      return earlier.result
    }
    const result = read(stacks)
    known.set(first, { stacks, result })
    return result
  }
}

/** The stacks of a synthesized app, from its folder. */
export const readStacks = (folder: string): Stack[] =>
  Object.entries(z.parse(Manifest, readJson(folder, 'manifest.json')).artifacts).flatMap(([id, artifact]) => {
    const file = artifact.type === 'aws:cloudformation:stack' ? artifact.properties?.templateFile : undefined
    return file === undefined ? [] : [readStack(artifact.properties?.stackName ?? id, folder, file)]
  })
