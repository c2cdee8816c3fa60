import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { makeApp } from '../deploy/app.ts'
import { guide, withOutput } from '../deploy/guide-block.ts'

/** Why a stage has resources of a type. */
const reasons: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::Account': 'The role that API Gateway writes logs with is a setting of the account.',
  'AWS::ApiGateway::BasePathMapping': 'Puts the stage at the root of the custom domain.',
  'AWS::ApiGateway::Deployment': 'What the stage serves. Its ID follows the document of the API.',
  'AWS::ApiGateway::DomainName': 'The custom domain.',
  'AWS::ApiGateway::RestApi': 'The API. Its routes are in its document.',
  'AWS::ApiGateway::Stage': 'Throttling, access log, and firewall belong to a stage.',
  'AWS::Backup::BackupPlan': 'When backups are made, their retention, and where they are copied.',
  'AWS::Backup::BackupSelection': 'The table and the bucket of media.',
  'AWS::Backup::BackupVault': 'Backups are made here before they are copied.',
  'AWS::CloudFront::Distribution': 'Serves media by HTTPS; platforms fetch files from it.',
  'AWS::CloudFront::OriginAccessControl': 'Only the distribution may read the bucket.',
  'AWS::CloudFront::ResponseHeadersPolicy': 'Files of users are never run by a browser.',
  'AWS::CloudWatch::Alarm': 'Each has a row under "Operate".',
  'AWS::CloudWatch::Dashboard': 'The first three of an account are free.',
  'AWS::CodeDeploy::Application': 'Holds the releases of a stack.',
  'AWS::CodeDeploy::DeploymentGroup': 'Releases one function in steps, and back.',
  'AWS::DynamoDB::GlobalTable': 'All rows.',
  'AWS::Events::EventBus': 'Events for other systems of the company.',
  'AWS::Events::Rule': 'Starts the sweeper each minute.',
  'AWS::IAM::Role':
    'One for each function, and one each for schedules, calls of functions by API Gateway, its logs, and backups.',
  'AWS::KMS::Key': 'Encrypts the data keys of workspaces, which encrypt credentials and secrets.',
  'AWS::Lambda::Alias': 'What is called of a function that goes live in steps.',
  'AWS::Lambda::EventSourceMapping': 'One for each queue: it hands batches to a worker.',
  'AWS::Lambda::Function': 'One for each route and worker, so that each has only the rights that it uses.',
  'AWS::Lambda::LayerVersion': '`sharp`, which has native code.',
  'AWS::Lambda::Permission': 'The rule may start the sweeper.',
  'AWS::Lambda::Version': 'What an alias moves to.',
  'AWS::Logs::LogGroup':
    'One for each group of routes, one for the workers, and two of the API: requests, and errors of API Gateway.',
  'AWS::Logs::MetricFilter': 'Count lines of logs for alarms.',
  'AWS::S3::Bucket': 'Media; index files of memories; access logs of both.',
  'AWS::S3::BucketPolicy': 'TLS only, and what CloudFront and the log delivery may do.',
  'AWS::Scheduler::ScheduleGroup': 'Holds one schedule for each post that is due in more than 14 minutes.',
  'AWS::SecretsManager::Secret': 'The keys of the check in tokens.',
  'AWS::SNS::Subscription': '`alarmMail`.',
  'AWS::SNS::Topic': 'Where alarms go.',
  'AWS::SNS::TopicPolicy': 'TLS only, and CloudWatch may publish.',
  'AWS::SQS::Queue':
    'One for each kind of work and each platform, so that none waits for another; one for dead letters.',
  'AWS::SQS::QueuePolicy': 'TLS only, for all queues.',
  'AWS::SSM::Parameter': 'Names that CloudFormation makes, for the other stacks.',
  'AWS::WAFv2::WebACL': 'Stops floods and known attacks before they reach a function.',
  'AWS::WAFv2::WebACLAssociation': 'Puts it before the stage.',
  'AWS::XRay::SamplingRule': 'Which share of the calls is traced.',
}

/** The settings of the guide's example. */
const settings = {
  stage: 'prod',
  account: '111122223333',
  region: 'us-east-1',
  baseUrl: 'https://api.example.com',
  mailFrom: 'post@example.com',
  certificateArn: 'arn:aws:acm:us-east-1:111122223333:certificate/1',
  alarmMail: 'ops@example.com',
}

/** Settings that add or remove resources. */
const variants: readonly Readonly<Record<string, string>>[] = [
  { firewall: 'off' },
  { tracing: '0.05' },
  { canary: 'on' },
  { backupVaultArn: 'arn:aws:backup:us-east-1:444455556666:backup-vault:social' },
]

const Template = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) })

/** How many resources of each type a stage has. */
const count = (context: Readonly<Record<string, string>>): Map<string, number> => {
  const outdir = mkdtempSync(join(tmpdir(), 'social-resources-'))
  try {
    const types = makeApp({ outdir, context: { ...settings, ...context } })
      .synth()
      .stacks.flatMap(({ template }) => Object.values(z.parse(Template, template).Resources))
      .map(({ Type }) => Type)
    return new Map([...Map.groupBy(types, (type) => type)].map(([type, all]) => [type, all.length]))
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}

const reasonFor = (type: string): string => {
  const reason = reasons[type]
  if (reason === undefined) throw new Error(`${type}: say why a stage needs it (infra/commands/resources.ts)`)
  return reason
}

/** The resources of a stage by type, with the reason for each, as the deployment guide shows them. */
export const resourceList = (): string => {
  const usual = count({})
  const varied = variants.map((context) => ({ context, counts: count(context) }))
  const types = [...new Set([usual, ...varied.map(({ counts }) => counts)].flatMap((counts) => [...counts.keys()]))]
  const usually = (type: string) => usual.get(type) ?? 0
  const rows = types.toSorted((a, b) => usually(b) - usually(a) || (a < b ? -1 : 1))
  const sum = types.reduce((all, type) => all + usually(type), 0)
  const changes = varied.map(({ context, counts }) => {
    const settings = Object.entries(context).map(([name, value]) =>
      name === 'backupVaultArn' ? `\`${name}\`` : `\`${name}\` \`${value}\``,
    )
    const changed = types.flatMap((type) => {
      const more = (counts.get(type) ?? 0) - usually(type)
      return more === 0 ? [] : [`${more > 0 ? '+' : ''}${more} ${type}`]
    })
    return `- ${settings.join(', ')}: ${changed.toSorted().join(', ')}`
  })
  return [
    '| Type | Count | Why |',
    '| --- | ---: | --- |',
    ...rows.map((type) => `| ${type} | ${usually(type)} | ${reasonFor(type)} |`),
    `| **Sum** | **${sum}** | |`,
    '',
    'Settings change that:',
    '',
    ...changes,
  ].join('\n')
}

if (import.meta.main) {
  const list = resourceList()
  process.stdout.write(`${list}\n`)
  if (process.argv.includes('--write')) {
    writeFileSync(guide, withOutput(readFileSync(guide, 'utf8'), 'infra/commands/resources.ts', list))
  }
}
