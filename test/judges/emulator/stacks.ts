import { execFile } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import * as z from 'zod/mini'
import type { Emulator } from './emulator.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const maxBuffer = 2 ** 28

const stage = 'dev'

/** What the emulator refuses to create, and what checks it instead. */
const refusedTypes: Readonly<Record<string, string>> = {
  'AWS::Logs::MetricFilter': 'test/infra/alarms.test.ts compares its patterns',
  'AWS::CloudFront::ResponseHeadersPolicy': 'test/infra/resource-spec.test.ts checks it against the schema of AWS',
  'AWS::CloudFront::OriginAccessControl': 'test/infra/resource-spec.test.ts checks it against the schema of AWS',
}

const Template = z.looseObject({
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
})

const Code = z.object({ S3Key: z.string() })
const Imported = z.object({ BodyS3Location: z.object({ Key: z.string() }) })
const Variables = z.object({ Variables: z.record(z.string(), z.unknown()) })

const Manifest = z.looseObject({
  artifacts: z.record(
    z.string(),
    z.looseObject({ properties: z.optional(z.looseObject({ terminationProtection: z.optional(z.boolean()) })) }),
  ),
})

const change = <S extends z.core.$ZodType>(file: string, schema: S, by: (content: z.output<S>) => void): void => {
  const content = z.parse(schema, JSON.parse(readFileSync(file, 'utf8')))
  by(content)
  writeFileSync(file, JSON.stringify(content))
}

/** Settings of functions for services that the emulator does not have. */
interface StackSettings {
  /** Of the API. */
  baseUrl: string
  /** Of the emulator. */
  url: string
  /** Of the platforms' stand-ins, as JSON. */
  platformOrigins: string
  allowedOrigins: string
}

/** The variables of a function, as it has them on the emulator. */
const variablesOf = (assembly: string, properties: Record<string, unknown>, stackSettings: StackSettings) => {
  const { Variables: known } = z.parse(Variables, properties['Environment'])
  const { S3Key } = z.parse(Code, properties['Code'])
  const others = {
    PLATFORM_ORIGINS: stackSettings.platformOrigins,
    ALLOWED_ORIGINS: stackSettings.allowedOrigins,
    // It has no /var/task.
    FILES_FOLDER: join(assembly, `asset.${S3Key.replace(/\.zip$/, '')}`),
  }
  const there = Object.entries(others).filter(([name]) => name in known)
  // It has no host for the CloudFront distribution: the bucket, whose name is the host here, serves the media.
  const media = JSON.stringify(known['MEDIA_URL'] ?? '').replace('https://', `${stackSettings.url}/`)
  const hosts = ['MEDIA_URL', 'BUCKET_URL'].filter((name) => name in known)
  return { ...known, ...Object.fromEntries([...there, ...hosts.map((name) => [name, JSON.parse(media)])]) }
}

/** The bucket instead of the host that shows media. */
const nameBucketAsHost = (resources: z.infer<typeof Template>['Resources']): void => {
  const parameter = (name: string) =>
    Object.values(resources).find(({ Properties }) => Properties?.['Name'] === `/social/${stage}/${name}`)?.Properties
  const [host, bucket] = [parameter('media-host'), parameter('media-bucket')]
  if (host && bucket) host['Value'] = bucket['Value']
}

const Measured = z.object({
  MetricStat: z.optional(z.object({ Metric: z.record(z.string(), z.unknown()), Period: z.number(), Stat: z.string() })),
})

/** The emulator knows no metric math: an alarm reads its first metric. test/operations/alarms.fault.ts evaluates the expressions. */
const withoutExpression = ({ Metrics, ...properties }: Record<string, unknown>): Record<string, unknown> => {
  const [first] = z.parse(z.array(Measured), Metrics ?? []).flatMap(({ MetricStat }) => MetricStat ?? [])
  return first === undefined
    ? properties
    : { ...properties, ...first.Metric, Period: first.Period, Statistic: first.Stat }
}

/** The emulator imports no document of an API from a bucket. */
const withBody = (assembly: string, { BodyS3Location, ...properties }: Record<string, unknown>) => {
  const { Key } = z.parse(Imported, { BodyS3Location }).BodyS3Location
  return { ...properties, Body: JSON.parse(readFileSync(join(assembly, `asset.${Key}`), 'utf8')) }
}

/** What its layer has, which the emulator unpacks elsewhere than at /opt: here for the processor of this machine. */
const putImageLibrary = (folder: string): void => {
  for (const name of ['sharp', '@img', 'detect-libc', 'semver']) {
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
  }
}

/** Makes of an assembly what the emulator takes; the product itself has no branch for it. */
const adapt = (assembly: string, stackSettings: StackSettings): void => {
  for (const name of readdirSync(assembly)) {
    const path = join(assembly, name)
    if (name.endsWith('.template.json')) {
      change(path, Template, ({ Resources }) => {
        for (const [id, { Type, Properties }] of Object.entries(Resources)) {
          if (Type in refusedTypes) Resources[id] = { Type: 'AWS::CloudFormation::WaitConditionHandle' }
          if (Type === 'AWS::CloudWatch::Alarm' && Properties !== undefined)
            Resources[id] = { Type, Properties: withoutExpression(Properties) }
          if (Type === 'AWS::ApiGateway::RestApi' && Properties !== undefined)
            Resources[id] = { ...Resources[id], Type, Properties: withBody(assembly, Properties) }
          if (Type !== 'AWS::Lambda::Function' || Properties === undefined) continue
          Properties['Environment'] = { Variables: variablesOf(assembly, Properties, stackSettings) }
        }
        nameBucketAsHost(Resources)
      })
    }
    // Lambda loads index.cjs as well; the emulator looks for index.js and index.mjs.
    for (const program of ['index', 'image-program']) {
      if (existsSync(join(path, `${program}.cjs`)))
        renameSync(join(path, `${program}.cjs`), join(path, `${program}.js`))
    }
    if (existsSync(join(path, 'image-program.js'))) putImageLibrary(path)
  }
  // It does not know UpdateTerminationProtection.
  change(join(assembly, 'manifest.json'), Manifest, ({ artifacts }) => {
    for (const { properties } of Object.values(artifacts)) delete properties?.terminationProtection
  })
}

const node = (tree: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  run(process.execPath, args, { cwd: tree, env: { ...process.env, ...env }, maxBuffer })

/** Bundles and synthesizes a tree as `npm run synth` does, and adapts the assembly. */
export const makeAssembly = async (tree: string, assembly: string, stackSettings: StackSettings): Promise<void> => {
  await node(tree, ['infra/deploy/bundle.ts'])
  await node(tree, ['infra/deploy/layers/build.ts'])
  const plenty = { calls: 100_000, perSeconds: 60 }
  const context = {
    stage,
    account: '000000000000',
    region: 'us-east-1',
    baseUrl: stackSettings.baseUrl,
    mailFrom: 'service@example.com',
    // The emulator refuses the association of a firewall with a stage.
    firewall: 'off',
    rateLimits: JSON.stringify({ general: plenty, auth: plenty, cli: plenty, ai: plenty }),
  }
  const settings = Object.entries(context).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  await node(tree, ['node_modules/aws-cdk/bin/cdk', 'synth', '--all', '--quiet', '--output', assembly, ...settings])
  adapt(assembly, stackSettings)
}

const cdk = (emulator: Emulator, ...args: readonly string[]) =>
  node(root, ['node_modules/aws-cdk/bin/cdk', ...args], emulator.env).then(({ stdout, stderr }) => stdout + stderr)

export const bootstrap = (emulator: Emulator) => cdk(emulator, 'bootstrap', '--app=', 'aws://000000000000/us-east-1')

/** Deploys all stacks with the CLI of the CDK; returns what it says. The emulator loses change sets of the same name. */
export const deploy = (emulator: Emulator, assembly: string) =>
  cdk(
    emulator,
    'deploy',
    '--app',
    assembly,
    '--all',
    '--concurrency',
    '4',
    '--require-approval',
    'never',
    '--method',
    'direct',
  )

/** A copy of an assembly in which one stack has a resource that cannot be made, so that its deployment fails there. */
export const brokenAt = (stack: string, assembly: string, folder: string): string => {
  cpSync(assembly, folder, { recursive: true })
  change(join(folder, `social-${stage}-${stack}.template.json`), Template, ({ Resources }) => {
    Resources['Refused'] = { Type: 'AWS::Logs::MetricFilter' }
  })
  // A template is uploaded under the name that its synthesis gave it, unless that name is there already.
  const assets = join(folder, `social-${stage}-${stack}.assets.json`)
  const [, name = ''] = /"(\w{64})\.json"/.exec(readFileSync(assets, 'utf8')) ?? []
  for (const file of [assets, join(folder, 'manifest.json')]) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`${name}.json`, `broken-${name}.json`))
  }
  return folder
}

const stackNames = (assembly: string) =>
  readdirSync(assembly).flatMap((name) => (name.endsWith('.template.json') ? [name.split('.', 1)[0] ?? ''] : []))

/**
 * Deletes all stacks by their names: the emulator ignores the ARN by which `cdk destroy` names them. It knows no
 * DeletionPolicy; test/infra/stacks.test.ts says what stays.
 */
export const destroy = async ({ url }: Emulator, assembly: string): Promise<void> => {
  const scope = 'test/20300101/us-east-1/cloudformation/aws4_request'
  const headers = { Authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host, Signature=none` }
  const callCloudFormation = (Action: string, StackName: string) =>
    fetch(url, { method: 'POST', headers, body: new URLSearchParams({ Action, StackName, Version: '2010-05-15' }) })
  for (const name of stackNames(assembly)) await callCloudFormation('DeleteStack', name)
  for (const name of stackNames(assembly)) {
    for (let tries = 0; (await callCloudFormation('DescribeStacks', name)).ok; tries += 1) {
      if (tries === 100) throw new Error(`${name} was not deleted`)
      await sleep(100)
    }
  }
}
