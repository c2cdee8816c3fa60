import { assumptions } from './assumptions.ts'
import type { Line } from './prices.ts'

/** A resource of a template. */
export interface TemplateResource {
  Type: string
  Properties?: Readonly<Record<string, unknown>>
}

type Properties = Readonly<Record<string, unknown>>

/** What costs something while the stage is idle. Everything else is paid by use. */
const paidByMonth: Readonly<Record<string, (properties: Properties, all: readonly TemplateResource[]) => Line[]>> = {
  'AWS::CloudWatch::Alarm': ({ Metrics }) => {
    // An expression is not a metric; each metric that it reads is.
    const metrics = Array.isArray(Metrics) ? Metrics.filter((metric) => 'MetricStat' in metric).length : 1
    return [{ service: 'CloudWatch', what: 'metrics of alarms', units: metrics, price: 'alarmMetricMonth' }]
  },
  'AWS::CloudWatch::CompositeAlarm': () => [
    { service: 'CloudWatch', what: 'composite alarms', units: 1, price: 'compositeAlarmMonth' },
  ],
  'AWS::KMS::Key': () => [{ service: 'KMS', what: 'key', units: 1, price: 'keyMonth' }],
  'AWS::SecretsManager::Secret': () => [{ service: 'Secrets Manager', what: 'secret', units: 1, price: 'secretMonth' }],
  'AWS::WAFv2::WebACL': ({ Rules }) => [
    { service: 'WAF', what: 'web ACL', units: 1, price: 'firewallMonth' },
    { service: 'WAF', what: 'rules', units: Array.isArray(Rules) ? Rules.length : 0, price: 'firewallRuleMonth' },
  ],
  'AWS::Lambda::EventSourceMapping': ({ ScalingConfig, ProvisionedPollerConfig }) => {
    if (ProvisionedPollerConfig) throw new Error('the price of provisioned pollers is not in the price list')
    const { pollersOfIdleQueue, secondsPerPoll, hoursPerMonth } = assumptions
    const pollers = ScalingConfig === undefined ? pollersOfIdleQueue.withoutLimit : pollersOfIdleQueue.withLimit
    const what = `polls of queues ${ScalingConfig === undefined ? 'without' : 'with'} a limit of invocations`
    const units = (pollers * hoursPerMonth * 3600) / secondsPerPoll
    return [{ service: 'SQS', what, units, price: 'queueRequest' }]
  },
  'AWS::Events::Rule': ({ ScheduleExpression }, all) => {
    const minutes = Number(/^rate\((\d+) minutes?\)$/.exec(String(ScheduleExpression))?.[1])
    const sweeper = all.find(({ Type, Properties }) => {
      return Type === 'AWS::Lambda::Function' && String(Properties?.['FunctionName']).endsWith('-sweep')
    })
    const memoryMb = Number(sweeper?.Properties?.['MemorySize'])
    if (!(minutes > 0 && memoryMb > 0)) throw new Error('the rule does not start the sweeper every few minutes')
    const runs = (assumptions.hoursPerMonth * 60) / minutes
    const gigabyteSeconds = (runs * (memoryMb / 1024) * assumptions.idleSweepMs) / 1000
    return [
      { service: 'Lambda', what: 'sweeper, invocations', units: runs, price: 'lambdaRequest' },
      { service: 'Lambda', what: 'sweeper, duration', units: gigabyteSeconds, price: 'lambdaGigabyteSecond' },
    ]
  },
}

/** Types with no price of their own: they are paid by use, or not at all. */
const paidByUse =
  /^AWS::(ApiGateway|Backup|CloudFront|CodeDeploy|DynamoDB|Events::EventBus|IAM|Lambda::(Alias|Function|LayerVersion|Permission|Version)|Logs|S3|SNS|SQS|SSM|Scheduler|XRay|CDK|WAFv2::WebACLAssociation)\b|^AWS::CloudWatch::Dashboard$/

/** The same units of the same item as one line. */
export const merged = (lines: readonly Line[]): Line[] =>
  [...Map.groupBy(lines, ({ service, what, price }) => `${service} ${what} ${price}`).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, units: same.reduce((sum, { units }) => sum + units, 0) }]
  })

/**
 * The price of an idle month of a stage, from its templates. `readUnitsPerSweep`: the reads of an idle run of the sweeper.
 * Throws for a type of resource whose price is unknown.
 */
export const idleLines = (resources: readonly TemplateResource[], readUnitsPerSweep: number): Line[] => {
  const lines = resources.flatMap(({ Type, Properties = {} }) => {
    const paid = paidByMonth[Type]
    if (paid === undefined && !paidByUse.test(Type))
      throw new Error(`${Type}: look up its price (infra/deploy/cost/idle.ts)`)
    return paid?.(Properties, resources) ?? []
  })
  const sweeps = lines.filter(({ what }) => what === 'sweeper, invocations').map(({ units }) => units)
  const units = sweeps.reduce((sum, runs) => sum + runs, 0) * readUnitsPerSweep
  return merged([...lines, { service: 'DynamoDB', what: 'sweeper, reads', units, price: 'readUnit' }])
}
