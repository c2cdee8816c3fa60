import { FilterPattern, type LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { emailNotSentLine } from '../../shared/aws/email.ts'
import type { Names } from './names.ts'

/** Counts the emails that SES did not take, as the functions of a log group report them. */
export const countUnsentEmails = (
  scope: Construct,
  { unsentEmails }: Names,
  group: string,
  logGroup: LogGroup,
): void => {
  new MetricFilter(scope, `${group}-unsent-emails`, {
    logGroup,
    filterPattern: FilterPattern.stringValue('$.message', '=', emailNotSentLine),
    ...unsentEmails,
  })
}
