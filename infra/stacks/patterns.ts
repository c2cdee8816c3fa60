import { Stack, Validations } from 'aws-cdk-lib'
import type { Role } from 'aws-cdk-lib/aws-iam'
import type { Configuration } from './configuration.ts'
import { arnsOf } from './grants.ts'
import type { Right, Target } from './rights.ts'

/** Why the ARNs of some targets are patterns: what they cover is made while the service runs. */
const reasons: { readonly [T in Target]?: string } = {
  'media-files': 'the names of uploaded files are not known before; other prefixes stay closed',
  'incoming-files': 'the names of uploads are not known in advance; public files have another prefix',
  'export-files': 'the names of archives are not known before; nothing else has their prefix',
  'index-files': 'the bucket holds nothing but index files, whose names are made while the service runs',
  'platform-secrets': 'each platform may get its secret at any time; the prefix holds nothing else',
  'push-secrets': 'the operator makes the secret of a push provider at any time; the prefix holds nothing else',
  transcriptions: 'starting a job has no resource; the condition limits where its transcript goes',
  'transcription-jobs': 'the names of jobs are not known before; they begin with the name of the stage',
  'speech-key': 'the secret may be made at any time; its ARN ends with characters that are not known before',
  'text-model': 'an inference profile calls one model in the regions that it chooses',
  'text-key': 'the secret may be made at any time; its ARN ends with characters that are not known before',
  'stripe-secret': 'the operator makes the secret at any time; Secrets Manager adds six characters to its name',
  'mail-identity': 'the operator verifies an address or a domain in SES; the condition allows one sender',
  'schedule-group': 'the names of schedules are not known before; they are in a group of their own',
}

const asPart = (part: unknown) => (typeof part === 'string' ? part : `<${(part as { Ref: string }).Ref}>`)

/** A text with tokens as cdk-nag writes it in a finding. */
const asFinding = (stack: Stack, text: string): string => {
  const resolved = stack.resolve(text) as string | { 'Fn::Join': [string, unknown[]] }
  return typeof resolved === 'string' ? resolved : resolved['Fn::Join'][1].map(asPart).join('')
}

/** Tells cdk-nag about the patterns among the targets of a role's rights. */
export const acknowledgePatterns = (role: Role, configuration: Configuration, rights: readonly Right[]): void => {
  for (const { resource } of rights) {
    const reason = reasons[resource]
    if (reason === undefined) continue
    for (const arn of arnsOf(role, configuration, resource)) {
      Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${asFinding(Stack.of(role), arn)}]`, reason })
    }
  }
}
