import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeApp } from '../../infra/app.ts'
import { settings } from '../infra/synth.ts'
import { programFromPyPi } from '../support/pypi.ts'
import { guardFor } from './guard.ts'

const run = promisify(execFile)

const stages = ['dev', 'prod']
const folder = mkdtempSync(join(tmpdir(), 'templates-'))
beforeAll(() => {
  for (const stage of stages) makeApp({ outdir: join(folder, stage), context: { ...settings, stage } }).synth()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const templates = () =>
  stages.flatMap((stage) =>
    readdirSync(join(folder, stage))
      .filter((name) => name.endsWith('.template.json'))
      .map((name) => join(folder, stage, name)),
  )

/** Warnings of cfn-lint that stay, and why. */
const allowedWarnings: Readonly<Record<string, string>> = {
  W3005: 'The CDK names a role in DependsOn as well as in a property.',
  W3045: 'CloudFront writes its logs with the access control list of the bucket, which is made for them alone.',
}

const Matches = z.array(
  z.object({
    Filename: z.string(),
    Message: z.string(),
    Rule: z.object({ Id: z.string() }),
  }),
)

/** Runs a linter, which ends with another code than 0 if it has found something; answers what it printed. */
const printedBy = async (program: string, args: readonly string[]): Promise<string> => {
  const options = { maxBuffer: 2 ** 28, cwd: folder }
  const { stdout } = await run(program, args, options).catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  return stdout
}

test('cfn-lint finds nothing in the templates of both stages', async () => {
  const program = await programFromPyPi('cfn-lint', '1.58.0')
  expect(templates().length).toBeGreaterThan(40)
  const found = z.parse(Matches, JSON.parse(await printedBy(program, ['--format', 'json', ...templates()])))
  const open = found.filter(({ Rule }) => !(Rule.Id in allowedWarnings))
  expect(open.map(({ Filename, Message, Rule }) => `${Rule.Id} ${Filename}: ${Message}`)).toEqual([])
  expect([...new Set(found.map(({ Rule }) => Rule.Id))].sort(), 'exceptions that are used').toEqual(
    Object.keys(allowedWarnings).sort(),
  )
})

/** Rules of checkov that are not followed, for which type, and why. */
const exceptions: readonly { id: string; type: string; reason: string }[] = [
  {
    id: 'CKV_AWS_115',
    type: 'AWS::Lambda::Function',
    reason:
      'a reserved share would take it from the others; queues and API Gateway have limits (infra/stacks/concurrency.ts)',
  },
  {
    id: 'CKV_AWS_116',
    type: 'AWS::Lambda::Function',
    reason:
      'none is invoked asynchronously but the sweeper, whose next run does the work; queues have a dead-letter queue',
  },
  {
    id: 'CKV_AWS_117',
    type: 'AWS::Lambda::Function',
    reason: 'nothing it reaches is in a VPC, and a NAT gateway would cost more than the service',
  },
  {
    id: 'CKV_AWS_173',
    type: 'AWS::Lambda::Function',
    reason: 'no variable is a secret; Lambda encrypts them with a key of its own',
  },
  {
    id: 'CKV_AWS_27',
    type: 'AWS::SQS::Queue',
    reason: 'encrypted by SSE-SQS (SqsManagedSseEnabled), which the rule does not look for',
  },
  {
    id: 'CKV_AWS_158',
    type: 'AWS::Logs::LogGroup',
    reason: 'encrypted by CloudWatch Logs; nothing in a log is a secret (test/rights.test.ts)',
  },
  {
    id: 'CKV_AWS_21',
    type: 'AWS::S3::Bucket',
    reason: 'an object is written once under a name of its own, and a deleted file must be gone',
  },
  {
    id: 'CKV_AWS_18',
    type: 'AWS::S3::Bucket',
    reason: 'it is the bucket of the access logs, or holds index files that only functions read',
  },
  {
    id: 'CKV_AWS_68',
    type: 'AWS::CloudFront::Distribution',
    reason: 'it serves files of unguessable names and runs no code',
  },
  {
    id: 'CKV_AWS_174',
    type: 'AWS::CloudFront::Distribution',
    reason: 'the certificate of cloudfront.net allows no other minimum',
  },
  {
    id: 'CKV_AWS_149',
    type: 'AWS::SecretsManager::Secret',
    reason: 'encrypted with the key of the account for Secrets Manager',
  },
  {
    id: 'CKV_AWS_73',
    type: 'AWS::ApiGateway::Stage',
    reason: 'traces have a price; request ids are in every line of the log',
  },
  { id: 'CKV_AWS_120', type: 'AWS::ApiGateway::Stage', reason: 'a response belongs to its caller' },
  {
    id: 'CKV_AWS_26',
    type: 'AWS::SNS::Topic',
    reason: 'it carries the names of alarms; CloudWatch cannot publish to a topic with the key of AWS',
  },
]

const Check = z.object({ check_id: z.string(), check_name: z.string(), resource: z.string() })
const Report = z.object({
  results: z.object({ failed_checks: z.array(Check) }),
  summary: z.object({ passed: z.number(), parsing_errors: z.number() }),
})

test('checkov finds nothing in the templates of both stages', async () => {
  const program = await programFromPyPi('checkov', '3.3.30')
  const printed = await printedBy(program, [
    '--directory',
    folder,
    '--framework',
    'cloudformation',
    '--compact',
    '--quiet',
    '--output',
    'json',
  ])
  const { results, summary } = z.parse(Report, JSON.parse(printed))
  expect(summary).toMatchObject({ passed: expect.toSatisfy((passed: number) => passed > 4_000), parsing_errors: 0 })
  const isException = ({ check_id, resource }: z.infer<typeof Check>) =>
    exceptions.some(({ id, type }) => id === check_id && resource.startsWith(`${type}.`))
  const open = results.failed_checks.filter((check) => !isException(check))
  expect(open.map(({ check_id, check_name, resource }) => `${check_id} ${resource}: ${check_name}`)).toEqual([])
  const used = new Set(results.failed_checks.map(({ check_id }) => check_id))
  expect(
    exceptions.map(({ id }) => id).filter((id) => !used.has(id)),
    'exceptions that nothing needs',
  ).toEqual([])
})

/** Rules of AWS Control Tower that are not followed, and why. */
const unguarded: Readonly<Record<string, string>> = {
  api_gw_xray_enabled_check: 'traces have a price; request ids are in every line of the log',
  cloudfront_custom_ssl_certificate_check: 'it serves files under the name of cloudfront.net',
  cloudfront_default_root_object_configured_check: 'it serves files of unguessable names, and no page',
  cloudfront_origin_failover_enabled_check: 'the files are in one bucket',
  cloudfront_security_policy_check: 'the certificate of cloudfront.net allows no other minimum',
  cloudfront_sni_enabled_check: 'the certificate of cloudfront.net has no such setting',
  cloudwatch_log_group_encrypted_check:
    'encrypted by CloudWatch Logs; nothing in a log is a secret (test/rights.test.ts)',
  cloudwatch_log_group_retention_period_check: 'logs have addresses of people, and are kept for one to three months',
  kms_create_grant_aws_service_check: 'the account itself administers its keys; its policies say who may',
  lambda_function_public_access_prohibited_check:
    'each has a SourceArn, joined of parts, where the rule takes one text (test/infra/template.test.ts)',
  lambda_inside_vpc_check: 'nothing it reaches is in a VPC, and a NAT gateway would cost more than the service',
  s3_bucket_acl_prohibited_check: 'CloudFront writes its logs with the access control list of their bucket',
  s3_bucket_default_encryption_kms_check: 'encrypted with the keys of S3',
  s3_bucket_logging_enabled_check: 'it is the bucket of the access logs',
  s3_bucket_object_lock_enabled_check: 'a deleted file must be gone',
  s3_bucket_versioning_enabled_check:
    'an object is written once under a name of its own, and a deleted file must be gone',
  s3_event_notifications_enabled_check: 'who uploads a file says so; nothing waits for events of S3',
  sqs_dlq_check: 'it is the dead-letter queue',
}

const TypesOf = z.object({ Resources: z.record(z.string(), z.object({ Type: z.string() })) })
const Guarded = z.array(
  z.object({
    name: z.string(),
    compliant: z.array(z.string()),
    not_compliant: z.array(z.object({ Rule: z.object({ name: z.string() }) })),
  }),
)

test('cfn-guard finds nothing in the templates of both stages by the rules of AWS Control Tower', async () => {
  const all = templates()
  const resources = all.flatMap((file) =>
    Object.values(z.parse(TypesOf, JSON.parse(readFileSync(file, 'utf8'))).Resources),
  )
  const { program, rules } = await guardFor([...new Set(resources.map(({ Type }) => Type))])
  const output = ['--structured', '--output-format', 'json', '--show-summary', 'none']
  const printed = await printedBy(program, ['validate', '--rules', ...rules, '--data', ...all, ...output])
  const found = z.parse(Guarded, JSON.parse(printed))
  expect(found).toHaveLength(all.length)
  expect(new Set(found.flatMap(({ compliant }) => compliant)).size).toBeGreaterThan(10)
  const failed = found.flatMap(({ name, not_compliant }) =>
    not_compliant.map(({ Rule }) => ({ name, rule: Rule.name })),
  )
  expect(failed.filter(({ rule }) => !(rule in unguarded)).map(({ name, rule }) => `${rule} ${name}`)).toEqual([])
  const used = new Set(failed.map(({ rule }) => rule))
  expect(
    Object.keys(unguarded).filter((rule) => !used.has(rule)),
    'exceptions that nothing needs',
  ).toEqual([])
})
