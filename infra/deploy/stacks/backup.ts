import { Duration, RemovalPolicy, type Stack, Validations } from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Configuration } from './configuration.ts'
import { exceptFrom } from './exceptions.ts'
import { referencesIn } from './references.ts'

// AWS Backup guide, "AWS managed policies for AWS Backup": one for tables, one for buckets.
const policies = ['service-role/AWSBackupServiceRolePolicyForBackup', 'AWSBackupServiceRolePolicyForS3Backup']

const retention = Duration.days(35)

/** A daily backup of the table and the files, copied to a vault that this account cannot change, if a stage names one. */
export const makeBackups = (stack: Stack, configuration: Configuration): void => {
  const { backupVaultArn, names } = configuration
  if (backupVaultArn === undefined) return
  const { tableArn, mediaBucketArn } = referencesIn(stack, configuration)
  const role = new Role(stack, 'backup-role', {
    assumedBy: new ServicePrincipal('backup.amazonaws.com'),
    managedPolicies: policies.map((policy) => ManagedPolicy.fromAwsManagedPolicyName(policy)),
  })
  for (const policy of policies) {
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'AWS Backup asks for this policy',
    })
  }
  const vault = new BackupVault(stack, 'backups', {
    backupVaultName: names.physical('backups'),
    removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  })
  exceptFrom(vault, 'encrypted with the key of the account for AWS Backup', 'CKV_AWS_166')
  const plan = new BackupPlan(stack, 'backup-plan', {
    backupPlanName: names.physical('daily'),
    backupVault: vault,
    backupPlanRules: [
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: retention,
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(stack, 'other-vault', backupVaultArn),
            deleteAfter: retention,
          },
        ],
      }),
    ],
  })
  plan.addSelection('stores', {
    role,
    resources: [BackupResource.fromArn(tableArn), BackupResource.fromArn(mediaBucketArn)],
  })
}
