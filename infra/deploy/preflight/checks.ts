import { ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm'
import { DescribeEventBusCommand, EventBridgeClient, ResourceNotFoundException } from '@aws-sdk/client-eventbridge'
import { GetAccountSummaryCommand, GetRoleCommand, IAMClient, NoSuchEntityException } from '@aws-sdk/client-iam'
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, SESv2Client } from '@aws-sdk/client-sesv2'
import { everyRoute, workerTable } from '../../../functions/routes.ts'
import type { Configuration } from '../stacks/configuration.ts'
import { endingPlatforms, type Finding, findingOf } from './versions.ts'

interface Check {
  name: string
  run(configuration: Configuration): Promise<Finding[]>
}

const ok = (text: string): Finding => ({ outcome: 'ok', text })
const warning = (text: string): Finding => ({ outcome: 'warning', text })
const failed = (text: string): Finding => ({ outcome: 'failed', text })

/** Below this, a burst of calls starves the publishers. */
const ampleConcurrency = 1_000

const concurrency: Check = {
  name: 'Lambda concurrency',
  async run({ region, accountConcurrency }) {
    const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}))
    const limit = AccountLimit?.ConcurrentExecutions ?? 0
    if (accountConcurrency !== undefined && accountConcurrency > limit)
      return [failed(`"accountConcurrency" is ${accountConcurrency}, and the account has ${limit}`)]
    if (limit < ampleConcurrency) return [warning(`${limit} concurrent executions: raise the quota (L-B99A9384)`)]
    return [ok(`${limit} concurrent executions`)]
  },
}

/** One for each function, and those of schedules, of the API, of its logs, and of backups. */
const rolesOfStage = everyRoute.length + workerTable.length + 4

const hasStage = (iam: IAMClient, { names, region }: Configuration): Promise<boolean> =>
  iam.send(new GetRoleCommand({ RoleName: names.physical(`api-${region}`) })).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NoSuchEntityException) return false
      throw error
    },
  )

const roles: Check = {
  name: 'IAM roles',
  async run(configuration) {
    const iam = new IAMClient({ region: configuration.region })
    const { SummaryMap: { Roles = 0, RolesQuota = 0 } = {} } = await iam.send(new GetAccountSummaryCommand({}))
    if (await hasStage(iam, configuration)) return [ok(`the stage is there; ${Roles} of ${RolesQuota} are in use`)]
    const text = `${Roles} of ${RolesQuota} are in use, and the stage has ${rolesOfStage}`
    return [Roles + rolesOfStage > RolesQuota ? failed(`${text}: raise the quota "Roles per account"`) : ok(text)]
  },
}

const leftovers: Check = {
  name: 'Event bus',
  async run(configuration) {
    const { region, names } = configuration
    if (await hasStage(new IAMClient({ region }), configuration)) return [ok('the stage is there')]
    const Name = names.physical('events')
    const finding = await new EventBridgeClient({ region }).send(new DescribeEventBusCommand({ Name })).then(
      () => failed(`${Name} is left of an earlier stage: delete it, or import it (infra/README.md, "Remove a stage")`),
      (error: unknown) => {
        if (error instanceof ResourceNotFoundException) return ok('none is left of an earlier stage')
        throw error
      },
    )
    return [finding]
  },
}

/** The address, its domain, and the parents of that: SES uses the nearest one. */
const identitiesFor = (address: string): string[] => {
  const labels = (address.split('@')[1] ?? '').split('.')
  return [address, ...labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))]
}

const isVerified = (ses: SESv2Client, EmailIdentity: string): Promise<boolean> =>
  ses.send(new GetEmailIdentityCommand({ EmailIdentity })).then(
    ({ VerifiedForSendingStatus }) => VerifiedForSendingStatus === true,
    (error: unknown) => {
      if (error instanceof NotFoundException) return false
      throw error
    },
  )

const mail: Check = {
  name: 'SES',
  async run({ region, mailFrom }) {
    const ses = new SESv2Client({ region })
    const { ProductionAccessEnabled } = await ses.send(new GetAccountCommand({}))
    const verified = await Promise.all(identitiesFor(mailFrom).map((identity) => isVerified(ses, identity)))
    return [
      ProductionAccessEnabled ? ok('production access') : warning('in the sandbox: only verified recipients get email'),
      verified.includes(true)
        ? ok(`${mailFrom} may send`)
        : failed(`neither ${mailFrom} nor its domain is verified in ${region}`),
    ]
  },
}

const covers = (host: string) => (name: string) =>
  name === host || (name.startsWith('*.') && host.replace(/^[^.]+/, '*') === name)

const certificate: Check = {
  name: 'Certificate',
  async run({ certificateArn, region, baseUrl }) {
    if (certificateArn === undefined) return [warning('there is no custom domain: assistants cannot connect')]
    const [, , , ownRegion] = certificateArn.split(':')
    if (ownRegion !== region) return [failed(`it is in ${ownRegion}, and the API needs one in ${region}`)]
    const acm = new ACMClient({ region })
    const { Certificate } = await acm.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }))
    if (Certificate?.Status !== 'ISSUED') return [failed(`its status is ${Certificate?.Status}`)]
    const host = new URL(baseUrl).hostname
    const names = Certificate.SubjectAlternativeNames ?? []
    return [names.some(covers(host)) ? ok(`it is for ${host}`) : failed(`it is for ${names.join(', ')}, not ${host}`)]
  },
}

const versions: Check = {
  name: 'platform API versions',
  async run({ platformApiEnds }) {
    return endingPlatforms(platformApiEnds).map((platform) => findingOf(platform, Date.now()))
  },
}

const checks: readonly Check[] = [concurrency, roles, leftovers, mail, certificate, versions]

/** Everything that can be checked before a deployment, check by check; a check that cannot run has failed. */
export const preflight = async (
  configuration: Configuration,
  tell: (name: string, finding: Finding) => void,
): Promise<boolean> => {
  let isOk = true
  for (const { name, run } of checks) {
    const findings = await run(configuration).catch((error: unknown) => [failed(String(error))])
    for (const finding of findings) tell(name, finding)
    isOk &&= findings.every(({ outcome }) => outcome !== 'failed')
  }
  return isOk
}
