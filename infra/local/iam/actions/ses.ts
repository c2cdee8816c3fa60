import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import { type GuardedService, refuseAsJson } from '../guard.ts'

/** A verified identity of SES: a domain or an address, with the configuration set that it sends with by default. */
export interface MailIdentity {
  name: string
  configurationSet?: string
}

const Input = z.object({ FromEmailAddress: z.string(), ConfigurationSetName: z.optional(z.string()) })

const addressIn = (from: string): string => (/<([^>]+)>\s*$/.exec(from)?.[1] ?? from).toLowerCase()

const domainOf = (from: string): string => addressIn(from).split('@').at(-1) ?? ''

/** An address, its domain, and the domains above: a verified one covers those below it (SES guide, "Verified identities"). */
const candidatesFor = (from: string): string[] => {
  const labels = domainOf(from).split('.')
  return [addressIn(from), ...labels.map((_, at) => labels.slice(at).join('.'))]
}

/** The identity that SES sends with; the closest one counts. */
const identityFor = (from: string, identities: readonly MailIdentity[]): MailIdentity | undefined =>
  candidatesFor(from)
    .flatMap((name) => identities.find((identity) => identity.name.toLowerCase() === name) ?? [])
    .at(0)

const arnOf = (kind: string, name: string) => `arn:aws:ses:${region}:${accountId}:${kind}/${name}`

/**
 * What SES asks IAM for: the identity of the sender, and the configuration set if one is used. Without identities, the
 * domain of the sender is one.
 */
export const sesAccess = (identities: readonly MailIdentity[] | undefined): GuardedService => ({
  accessesOf({ method, path, body }) {
    if (method !== 'POST' || path !== '/v2/email/outbound-emails') {
      throw new Error(`the local IAM does not know which action ${method} ${path} takes`)
    }
    const { FromEmailAddress, ConfigurationSetName } = z.parse(Input, body)
    const identity = identityFor(FromEmailAddress, identities ?? [{ name: domainOf(FromEmailAddress) }])
    const set = ConfigurationSetName ?? identity?.configurationSet
    const resources = [
      arnOf('identity', identity?.name ?? candidatesFor(FromEmailAddress)[0] ?? ''),
      ...(set === undefined ? [] : [arnOf('configuration-set', set)]),
    ]
    const context = { 'ses:fromaddress': [FromEmailAddress] }
    return resources.map((resource) => ({ action: 'ses:SendEmail', resource, context }))
  },
  refuse: (type, message) =>
    // SES quotes names differently.
    refuseAsJson(403)(
      type,
      message.replace(/User: (\S+) (.*): (\S+) on resource: (\S+).*$/, "User `$1' $2 `$3' on resource `$4'"),
    ),
})
