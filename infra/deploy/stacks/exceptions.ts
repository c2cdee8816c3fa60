import type { IConstruct } from 'constructs'

/** The type of the metadata that `exceptFrom` adds. */
export const exceptionType = 'social:exception'

/** A rule by its name: of cfn-lint, checkov, or cfn-guard, or the statement about it in test/infra/iam-data.test.ts. */
type Rule =
  | `W${number}`
  | `CKV_AWS_${number}`
  | `${string}_check`
  | `${string}:* is no action`
  | `${string}:* is given *`

/**
 * States why a construct, and what it creates, does not follow some rules. It is written to the cloud assembly and not into
 * the template; test/infra/exceptions.ts reads it. Findings of cdk-nag are acknowledged by `Validations`, which it reads.
 */
export const exceptFrom = (construct: IConstruct, reason: string, ...rules: readonly Rule[]): void =>
  construct.node.addMetadata(exceptionType, { reason, rules })
