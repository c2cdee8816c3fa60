import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { makeApp } from '../../infra/app.ts'
import { settings } from '../infra/synth.ts'
import { programFromPyPi } from '../support/pypi.ts'

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
