import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import * as z from 'zod/mini'
import { type AppOptions, makeApp } from '../../infra/deploy/app.ts'
import { handlers } from '../../infra/deploy/bundle.ts'
import { namesOf } from '../../infra/deploy/stacks/names.ts'
import { type Exception, exceptionsIn } from './exceptions.ts'

const Resource = z.object({
  Type: z.string(),
  Properties: z._default(z.record(z.string(), z.unknown()), {}),
  DeletionPolicy: z.optional(z.string()),
  DependsOn: z.optional(z.array(z.string())),
  UpdatePolicy: z.optional(z.unknown()),
})
const Template = z.object({
  Resources: z.record(z.string(), Resource),
  Parameters: z._default(z.record(z.string(), z.unknown()), {}),
  Outputs: z._default(z.record(z.string(), z.unknown()), {}),
})

export type Resources = z.infer<typeof Template>['Resources']

/** The names of the stage that tests synthesize. */
export const { physical } = namesOf('test')

/** With everything switched on that a deployment may go without. */
export const settings: Readonly<Record<string, unknown>> & { baseUrl: string } = {
  stage: 'test',
  account: '111122223333',
  region: 'eu-central-1',
  baseUrl: 'https://api.example.com',
  mailFrom: 'service@example.com',
  aiText: 'bedrock',
  aiSpeech: 'transcribe',
  backupVaultArn: 'arn:aws:backup:eu-central-1:444455556666:backup-vault:social',
  objectiveAlarms: 'on',
  platformMetrics: 'on',
  eventBus: 'on',
  runbookUrl: 'https://docs.example.com/RUNBOOK.md',
}

const makeFolder = () => mkdtempSync(join(tmpdir(), 'social-cdk-'))

/** An app as the tests deploy it, not yet synthesized; its folder goes with the test. */
export const testApp = (context: Readonly<Record<string, unknown>> = settings) => {
  const outdir = makeFolder()
  onTestFinished(() => rmSync(outdir, { recursive: true, force: true }))
  return makeApp({ outdir, context })
}

/** A stack as CloudFormation is given it. */
export interface SynthesizedStack extends z.infer<typeof Template> {
  name: string
  bytes: number
  exceptions: Exception[]
}

type Given = Pick<AppOptions, 'context' | 'routes' | 'bundles'>

const synthesizeAnew = (given: Given): SynthesizedStack[] => {
  const outdir = makeFolder()
  try {
    const { stacks } = makeApp({ ...given, outdir }).synth()
    return stacks.map((stack) => ({
      name: stack.stackName,
      bytes: statSync(stack.templateFullPath).size,
      exceptions: exceptionsIn(stack),
      ...z.parse(Template, stack.template),
    }))
  } finally {
    rmSync(outdir, { recursive: true })
  }
}

/** What this process has synthesized: a synthesis takes seconds, and its result is never changed. */
const known = new Map<string, SynthesizedStack[]>()

/** Synthesizes an app as the CLI of the CDK does, which names the constructs in the templates, with code for each function. */
export const synthesizeAsCli = (): SynthesizedStack[] => {
  const bundles = makeFolder()
  onTestFinished(() => rmSync(bundles, { recursive: true }))
  for (const { name } of handlers) {
    mkdirSync(join(bundles, name))
    writeFileSync(join(bundles, name, 'index.cjs'), name)
  }
  const marks = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true }
  return synthesizeStacks({ context: { ...settings, canary: 'on', ...marks }, bundles })
}

/** Synthesizes an app; the stacks in the order of their deployment. */
export const synthesizeStacks = ({ context = settings, ...others }: Given = {}): SynthesizedStack[] => {
  if (Object.keys(others).length > 0) return synthesizeAnew({ context, ...others })
  const key = JSON.stringify(context)
  const stacks = known.get(key) ?? synthesizeAnew({ context })
  known.set(key, stacks)
  return stacks
}

/** The resources of a stage by logical id: retained resources, those that every deployment replaces, and the alarms. */
interface Stage {
  data: Resources
  app: Resources
  ops: Resources
}

const kindOf = (name: string): keyof Stage => {
  if (name === physical('ops')) return 'ops'
  return [physical('data'), physical('table')].includes(name) ? 'data' : 'app'
}

export const synthesize = (context = settings): Stage => {
  const stage: Stage = { data: {}, app: {}, ops: {} }
  for (const { name, Resources } of synthesizeStacks({ context })) {
    const all = stage[kindOf(name)]
    for (const [id, resource] of Object.entries(Resources)) {
      if (all[id] !== undefined) throw new Error(`two stacks have a resource ${id}`)
      all[id] = resource
    }
  }
  return stage
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
