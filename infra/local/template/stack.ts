import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'

const Resource = z.object({ Type: z.string(), Properties: z._default(z.record(z.string(), z.unknown()), {}) })
export type Resource = z.infer<typeof Resource>

const Output = z.object({ Value: z.unknown(), Export: z.optional(z.object({ Name: z.unknown() })) })

const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z._default(z.record(z.string(), z.object({ Default: z.optional(z.unknown()) })), {}),
  Outputs: z._default(z.record(z.string(), Output), {}),
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

/** Makes a stack of a parsed template. */
export const parseStack = (name: string, template: unknown): Stack => ({ name, ...z.parse(Template, template) })

/** The stacks of a synthesized app, from its folder (cdk.out). */
export const readStacks = (folder: string): Stack[] =>
  Object.entries(z.parse(Manifest, readJson(folder, 'manifest.json')).artifacts).flatMap(([id, artifact]) => {
    const file = artifact.type === 'aws:cloudformation:stack' ? artifact.properties?.templateFile : undefined
    return file === undefined ? [] : [parseStack(artifact.properties?.stackName ?? id, readJson(folder, file))]
  })
