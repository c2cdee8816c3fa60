import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
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

const makeFolder = () => mkdtempSync(join(tmpdir(), 'social-cdk-'))

/** An app as the tests deploy it, not yet synthesized; its folder goes with the test. */
export const testApp = (context: Readonly<Record<string, unknown>> = settings) => {
  const outdir = makeFolder()
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }))
  return makeApp({ outdir, context })
}

interface Stacks {
  data: Resources
  app: Resources
  ops: Resources
}

/** What this process has synthesized: a synthesis takes seconds, and nobody changes its result. */
const known = new Map<string, Stacks>()

/** The resources of the three stacks, by logical id. */
export const synthesize = (context = settings): Stacks => {
  const key = JSON.stringify(context)
  const earlier = known.get(key)
  if (earlier) return earlier
  const outdir = makeFolder()
  const assembly = makeApp({ outdir, context }).synth()
  const resources = (stack: string) => z.parse(Template, assembly.getStackByName(stack).template).Resources
  const stacks = { data: resources('social-data'), app: resources('social-app'), ops: resources('social-ops') }
  rmSync(outdir, { recursive: true })
  known.set(key, stacks)
  return stacks
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
