import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'

/** What a stage must not lose or replace: resources that hold data, and those that others know by name or address. */
export const protectedTypes: Readonly<Record<string, string>> = {
  'AWS::ApiGateway::DomainName': 'the DNS record of the operator leads to it',
  'AWS::ApiGateway::RestApi': 'without a custom domain, its ID is in the address of the API',
  'AWS::Backup::BackupVault': 'it holds backups',
  'AWS::CloudFront::Distribution': 'the URLs of published media name its host',
  'AWS::DynamoDB::GlobalTable': 'it holds all rows',
  'AWS::Events::EventBus': 'other systems have rules on it',
  'AWS::KMS::Key': 'it decrypts all credentials',
  'AWS::S3::Bucket': 'it holds files',
  'AWS::SQS::Queue': 'it holds messages, and schedules name it',
  'AWS::Scheduler::ScheduleGroup': 'it holds the schedules of posts',
  'AWS::SecretsManager::Secret': 'it holds the keys of tokens',
}

/** Why a resource must stay; undefined if a release may remove or replace it. */
const reasonToStay = (type: string, logicalId: string): string | undefined =>
  // The CDK derives the ID from the path, without its dashes (infra/deploy/stacks/plumbing.ts).
  type === 'AWS::IAM::Role' && logicalId.startsWith('schedulerole')
    ? 'the schedules of posts name it, and those that are there would send nothing'
    : protectedTypes[type]

/** One change set as `aws cloudformation describe-change-set` prints it. */
const ChangeSet = z.object({
  StackName: z.string(),
  Status: z.string(),
  StatusReason: z.optional(z.string()),
  Changes: z._default(
    z.array(
      z.object({
        ResourceChange: z.optional(
          z.object({
            Action: z.string(),
            LogicalResourceId: z.string(),
            PhysicalResourceId: z.optional(z.string()),
            ResourceType: z.string(),
            Replacement: z.optional(z.string()),
          }),
        ),
      }),
    ),
    [],
  ),
})

/** CloudFormation's reason if nothing changes; the status is then FAILED. */
const isEmpty = ({ Status, StatusReason = '' }: z.infer<typeof ChangeSet>) =>
  Status === 'FAILED' && /didn't contain changes|No updates are to be performed/.test(StatusReason)

/** Why a change set may not be carried out, in sentences; none if it may. */
export const objectionsTo = (json: unknown): string[] => {
  const changeSet = z.parse(ChangeSet, json)
  const { StackName, Status, StatusReason = 'no reason is given', Changes } = changeSet
  if (isEmpty(changeSet)) return []
  if (Status !== 'CREATE_COMPLETE') return [`${StackName}: the change set is ${Status}: ${StatusReason}.`]
  return Changes.flatMap(({ ResourceChange: change }) => {
    const why = change && reasonToStay(change.ResourceType, change.LogicalResourceId)
    if (change === undefined || why === undefined) return []
    const { Action, LogicalResourceId, PhysicalResourceId = 'without a name', ResourceType, Replacement } = change
    const what = `${StackName}: ${ResourceType} ${LogicalResourceId} (${PhysicalResourceId})`
    if (Action === 'Remove') return [`${what} would be removed: ${why}.`]
    // "Conditional" means that CloudFormation finds out while it updates.
    if (Action === 'Modify' && Replacement !== undefined && Replacement !== 'False')
      return [`${what} would be replaced (${Replacement}): ${why}.`]
    return []
  })
}

if (import.meta.main) {
  const files = process.argv.slice(2)
  if (files.length === 0) {
    process.stderr.write('Name the files of change sets: npm run gate -- change-sets/*.json\n')
    process.exit(2)
  }
  const objections = files.flatMap((file) => objectionsTo(JSON.parse(readFileSync(file, 'utf8'))))
  for (const objection of objections) process.stderr.write(`${objection}\n`)
  if (objections.length > 0) process.exit(1)
  process.stdout.write(`${files.length} change sets: nothing that must stay is removed or replaced.\n`)
}
