import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api'
import * as z from 'zod/mini'
import { exceptionType } from '../../infra/deploy/stacks/exceptions.ts'

const Data = z.object({ reason: z.string().check(z.minLength(1)), rules: z.array(z.string()) })

/** A rule that does not hold at a resource of a stack. */
export interface Finding {
  stack: string
  resource: string
  rule: string
  message?: string
}

/** A rule that a construct does not follow, with the logical ids of the construct and of its resources. */
export interface Exception {
  stack: string
  path: string
  rule: string
  resources: string[]
}

type StackOfAssembly = Pick<CloudFormationStackArtifact, 'stackName' | 'metadata'>

/** The exceptions of a stack (infra/deploy/stacks/exceptions.ts). */
export const exceptionsIn = ({ stackName: stack, metadata }: StackOfAssembly): Exception[] => {
  const entries = Object.entries(metadata).flatMap(([path, all]) => all.map(({ type, data }) => ({ path, type, data })))
  const ids = entries.filter(({ type }) => type === 'aws:cdk:logicalId')
  return entries
    .filter(({ type }) => type === exceptionType)
    .flatMap(({ path, data }) => {
      const own = ids.filter((id) => `${id.path}/`.startsWith(`${path}/`)).map((id) => String(id.data))
      return z.parse(Data, data).rules.map((rule) => ({ stack, path, rule, resources: own }))
    })
}

const nameOf = ({ stack, resource, rule }: Finding) => `${rule} at ${stack} ${resource}`

/** The findings without an exception at their resource, and the exceptions from rules like these that nothing needs. */
export const disagreements = (findings: readonly Finding[], all: readonly Exception[], rules: RegExp): string[] => {
  const exceptions = all.filter(({ rule }) => rules.test(rule))
  const namesOf = ({ stack, rule, resources }: Exception) =>
    resources.map((resource) => nameOf({ stack, resource, rule }))
  const excepted = new Set(exceptions.flatMap(namesOf))
  const names = new Set(findings.map(nameOf))
  return [
    ...findings
      .filter((finding) => !excepted.has(nameOf(finding)))
      .map((finding) => [nameOf(finding), finding.message].filter(Boolean).join(': ')),
    ...exceptions
      .filter((exception) => !namesOf(exception).some((name) => names.has(name)))
      .map(({ path, rule }) => `nothing needs the exception from ${rule} at ${path}`),
  ]
}
