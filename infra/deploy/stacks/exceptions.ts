import type { IConstruct } from 'constructs'

/** The type of the metadata that `exceptFrom` adds. */
export const exceptionType = 'social:exception'

/** A rule by its name: of cfn-lint, checkov, or cfn-guard, or what test/infra/iam-data.test.ts says of a statement. */
type Rule =
  | `W${number}`
  | `CKV_AWS_${number}`
  | `${string}_check`
  | `${string}:* is no action`
  | `${string}:* is given *`

/**
 * Says why a construct, with what it makes, does not follow some rules. It is written to the cloud assembly and not into
 * the template; test/infra/exceptions.ts reads it. What cdk-nag finds is acknowledged by `Validations`, which it reads.
 */
export const exceptFrom = (construct: IConstruct, reason: string, ...rules: readonly Rule[]): void =>
  construct.node.addMetadata(exceptionType, { reason, rules })
