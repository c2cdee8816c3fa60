import { Stack, Validations } from 'aws-cdk-lib'
import type { Role } from 'aws-cdk-lib/aws-iam'
import type { Data } from './data.ts'
import { scheduleGroup } from './names.ts'

/** Tells cdk-nag why some targets of rights are patterns: what they cover is made while the service runs. */
export const acknowledgePatterns = (role: Role, { stack, bucket, indexBucket }: Data): void => {
  const importOf = ({ bucketArn }: { bucketArn: string }): Record<string, string> =>
    Stack.of(role).resolve(stack.exportValue(bucketArn))
  const [imported, indexes] = [importOf(bucket), importOf(indexBucket)]
  Validations.of(role).acknowledge(
    {
      id: `AwsSolutions-IAM5[Resource::${imported['Fn::ImportValue']}/media/*]`,
      reason: 'the names of uploaded files are not known before; other prefixes stay closed',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${imported['Fn::ImportValue']}/incoming/*]`,
      reason: 'the names of files that will arrive are not known before; what is shown lies elsewhere',
    },
    {
      id: `AwsSolutions-IAM5[Resource::${indexes['Fn::ImportValue']}/*]`,
      reason: 'the bucket holds nothing but index files, whose names are made while the service runs',
    },
    {
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:scheduler:<AWS::Region>:<AWS::AccountId>:schedule/${scheduleGroup}/*]`,
      reason: 'the names of schedules are not known before; they lie in a group of their own',
    },
  )
}
