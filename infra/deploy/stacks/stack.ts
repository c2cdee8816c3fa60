import { Stack } from 'aws-cdk-lib'
import type { Construct } from 'constructs'
import type { Configuration } from './configuration.ts'

/**
 * One stack of a stage. Its template has no indentation: CloudFormation accepts at most 1,000,000 bytes, white space
 * included (CloudFormation quotas, read 2026-11-22).
 */
export const makeStack = (
  scope: Construct,
  { stage, account, region, names }: Configuration,
  name: string,
  options: { description: string; terminationProtection?: boolean },
): Stack =>
  new Stack(scope, names.stack(name), {
    ...options,
    env: { account, region },
    suppressTemplateIndentation: true,
    // CloudFormation puts the tags of a stack on everything in it.
    tags: { service: 'social-publishing-service', stage },
  })
