import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import * as z from 'zod/mini'
import { makeApp } from '../../infra/app.ts'

const Resource = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  DeletionPolicy: z.optional(z.string()),
})
const Template = z.object({ Resources: z.record(z.string(), Resource) })

export type Resources = z.infer<typeof Template>['Resources']

/** With everything switched on that a deployment may go without. */
export const settings: Readonly<Record<string, unknown>> & { baseUrl: string } = {
  baseUrl: 'https://api.example.com',
  mailFrom: 'service@example.com',
  memorySearch: 'hybrid',
}

const folder = mkdtempSync(join(tmpdir(), 'social-cdk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An app as the tests deploy it, not yet synthesized. */
export const testApp = (context: Readonly<Record<string, unknown>> = settings) =>
  makeApp({ outdir: mkdtempSync(join(folder, 'app-')), context })

/** The resources of the three stacks, by logical id. */
export const synthesize = (context = settings): { data: Resources; app: Resources; ops: Resources } => {
  const assembly = testApp(context).synth()
  const resources = (stack: string) => z.parse(Template, assembly.getStackByName(stack).template).Resources
  return { data: resources('social-data'), app: resources('social-app'), ops: resources('social-ops') }
}

/** All resources of a type, their properties read by a shape. */
export const read = <T>(resources: Resources, type: string, shape: z.ZodMiniType<T>): T[] =>
  Object.entries(resources)
    .filter(([, { Type }]) => Type === type)
    .map(([logicalId, { Properties }]) => z.parse(shape, { ...Properties, logicalId }))

const FunctionShape = z.object({
  logicalId: z.string(),
  FunctionName: z.string(),
  Runtime: z.string(),
  Architectures: z.array(z.string()),
  Timeout: z.number(),
  Role: z.object({ 'Fn::GetAtt': z.array(z.string()) }),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  RecursiveLoop: z.optional(z.string()),
})

/** The functions of a stack by their name. */
export const functionsOf = (resources: Resources) =>
  new Map(read(resources, 'AWS::Lambda::Function', FunctionShape).map((each) => [each.FunctionName, each]))
