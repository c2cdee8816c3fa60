import { createHash } from 'node:crypto'
import { accountId } from '../template/account.ts'
import type { Access, Principal, RequestContext } from './access.ts'
import type { AccountPolicies } from './account-policies.ts'
import { type Decision, decide } from './decide.ts'
import type { JsonRequest } from './json.ts'
import type { Role } from './roles.ts'
import { isSigned } from './signature.ts'

export interface Credentials {
  accessKeyId: string
  secretAccessKey: string
}

/** One decision of the local IAM. */
export interface Decided {
  principal: Principal
  access: Access
  decision: Decision
}

/** IAM for all local services: the owner of a key, and what the owner may do. */
export interface Authority {
  /** The credentials that Lambda gives a function. */
  credentialsOf(functionName: string): Credentials
  /** Undefined for an unknown key. */
  principalOf(accessKeyId: string): Principal | undefined
  secretOf(accessKeyId: string): string | undefined
  /** Whether a request was sent by the owner of its access key; always, if the keys of a run have no secret. */
  isGenuine(request: JsonRequest): boolean
  /** The session of its role in which a function runs. */
  sessionOf(functionName: string): Principal
  /** Undefined if everything is allowed; otherwise AWS's error for the first access that is not. */
  refusal(principal: Principal, accesses: readonly Access[]): string | undefined
  /** A session of a role that a service assumes; throws if the role does not trust the service. */
  assume(roleArn: string, sessionName: string, service: string, sourceArn?: string): Principal
  readonly policies: AccountPolicies
}

/** Condition values of every request here: SDK clients use TLS on AWS, and the loopback address counts as TLS. */
const everywhere: RequestContext = { 'aws:securetransport': ['true'] }

const sourceOf = (principal: Principal): RequestContext =>
  principal.kind === 'service' && principal.sourceArn !== undefined
    ? { 'aws:sourcearn': [principal.sourceArn], 'aws:sourceaccount': [accountId] }
    : {}

/** An access key ID in AWS's format for roles, always the same one for a function. */
const keyOf = (functionName: string): string =>
  `ASIA${createHash('sha256').update(functionName).digest('hex').slice(0, 16).toUpperCase()}`

const nameOf = (principal: Principal): string => (principal.kind === 'service' ? principal.service : principal.arn)

/** The resource whose policy counts: the bucket of an object. */
const ownerOf = (resource: string): string =>
  resource.startsWith('arn:aws:s3:::') ? resource.replace(/\/.*$/s, '') : resource

const ruledByResource = (action: string) => /^(kms|sts):/.test(action)

export interface AuthorityOptions {
  administrator: Credentials
  /** A secret in the secret access keys: with it, requests must be signed. */
  keySecret?: string | undefined
  /** Receives every decision. */
  watch?(decided: Decided): void
}

export const makeAuthority = (
  policies: AccountPolicies,
  { administrator, keySecret, watch }: AuthorityOptions,
): Authority => {
  const secretFor = (functionName: string) => `secret of ${functionName}${keySecret ?? ''}`
  const session = (role: Role, sessionName: string): Principal => ({
    kind: 'role',
    arn: `arn:aws:sts::${accountId}:assumed-role/${role.name}/${sessionName}`,
    roleArn: role.arn,
  })
  const trusts = (role: Role, principal: Principal): boolean => {
    const access = { action: 'sts:AssumeRole', resource: role.arn }
    const rules = { identity: [], resource: role.trust, resourceMustAllow: true }
    const decision = decide(principal, access, { ...everywhere, ...sourceOf(principal) }, rules)
    watch?.({ principal, access, decision })
    return decision.allowed
  }
  const assume: Authority['assume'] = (roleArn, sessionName, service, sourceArn) => {
    const role = policies.roles.get(roleArn)
    if (role === undefined || !trusts(role, { kind: 'service', service, sourceArn })) {
      throw new Error(`The role ${roleArn} cannot be assumed by ${service}.`)
    }
    return session(role, sessionName)
  }
  const principals = new Map<string, Principal>([
    [administrator.accessKeyId, { kind: 'administrator', arn: `arn:aws:iam::${accountId}:user/administrator` }],
  ])
  const secrets = new Map([[administrator.accessKeyId, administrator.secretAccessKey]])
  for (const [name, { role }] of policies.functions) {
    principals.set(keyOf(name), session(role, name))
    secrets.set(keyOf(name), secretFor(name))
  }
  const decideOn = (principal: Principal, access: Access): Decision => {
    if (principal.kind === 'administrator') return { allowed: true }
    const { resource, action, context } = access
    const identity = principal.kind === 'role' ? (policies.roles.get(principal.roleArn)?.statements ?? []) : []
    const rules = {
      identity,
      resource: policies.resources.get(ownerOf(resource)) ?? [],
      resourceMustAllow: ruledByResource(action),
    }
    return decide(principal, access, { ...everywhere, ...sourceOf(principal), ...context }, rules)
  }
  return {
    policies,
    credentialsOf: (name) => ({ accessKeyId: keyOf(name), secretAccessKey: secretFor(name) }),
    principalOf: (accessKeyId) => principals.get(accessKeyId),
    secretOf: (accessKeyId) => secrets.get(accessKeyId),
    isGenuine: (request) =>
      keySecret === undefined ||
      request.isInProcess ||
      isSigned(request, (accessKeyId) => secrets.get(accessKeyId), Date.now()),
    sessionOf(name) {
      const principal = principals.get(keyOf(name))
      if (principal === undefined) throw new Error(`there is no function ${name}`)
      return principal
    },
    assume,
    refusal(principal, accesses) {
      for (const access of accesses) {
        const decision = decideOn(principal, access)
        watch?.({ principal, access, decision })
        if (decision.allowed) continue
        const { action, resource } = access
        return `User: ${nameOf(principal)} is not authorized to perform: ${action} on resource: ${resource} ${decision.because}`
      }
      return undefined
    },
  }
}
