import * as z from 'zod/mini'
import { functionNameIn, lastPart } from './arn.ts'
import type { Find } from './declared.ts'

const FunctionShape = z.object({
  Environment: z.optional(z.object({ Variables: z.record(z.string(), z.string()) })),
  Timeout: z._default(z.number(), 3),
  MemorySize: z._default(z.number(), 128),
  Role: z._default(z.string(), ''),
  LoggingConfig: z.optional(z.object({ LogGroup: z.optional(z.string()) })),
})

/** A function as the template declares it. */
export interface FunctionPlan {
  name: string
  arn: string
  /** The ARN of its role. */
  role: string
  /** The log group, if it is not Lambda's default. */
  logGroup: string | undefined
  environment: Readonly<Record<string, string>>
  timeoutSeconds: number
  memoryMb: number
}

/** Functions made by the CDK for itself (custom resources) have no local part; ours all have a name. */
export const functionPlans = (find: Find): FunctionPlan[] =>
  find('AWS::Lambda::Function').map((declared) => {
    const { Environment, Timeout, MemorySize, Role, LoggingConfig } = declared.read(FunctionShape)
    return {
      name: declared.name,
      arn: declared.attribute('Arn'),
      role: Role,
      logGroup: LoggingConfig?.LogGroup,
      environment: Environment?.Variables ?? {},
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
    }
  })

const MappingShape = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: z._default(z.number(), 10),
  FunctionResponseTypes: z._default(z.array(z.string()), []),
  ScalingConfig: z.optional(z.object({ MaximumConcurrency: z.optional(z.number()) })),
  ProvisionedPollerConfig: z.optional(z.object({ MinimumPollers: z.number(), MaximumPollers: z.number() })),
})

/** A queue that feeds a function. */
export interface MappingPlan {
  queueName: string
  queueArn: string
  functionName: string
  batchSize: number
  /** Concurrent batches, at first. */
  pollers: number
  /** The maximum that is reached if all are busy. */
  maxPollers: number
  /** While all are busy, one more is added this often. */
  growEveryMs: number
}

/**
 * How many batches of a queue are processed in parallel: five, and 300 more a minute up to the mapping's limit or 1,000; in
 * provisioned mode ten for each poller, and 1,000 more a minute (Lambda guide, "Configuring scaling behavior for SQS event
 * source mappings", and the AWS News Blog about provisioned mode, read 2026-11-22).
 */
const scalingOf = ({ ScalingConfig, ProvisionedPollerConfig }: z.infer<typeof MappingShape>) => {
  if (ProvisionedPollerConfig !== undefined) {
    const { MinimumPollers, MaximumPollers } = ProvisionedPollerConfig
    return { pollers: 10 * MinimumPollers, maxPollers: 10 * MaximumPollers, growEveryMs: 60 }
  }
  const max = ScalingConfig?.MaximumConcurrency
  return { pollers: Math.min(5, max ?? 5), maxPollers: max ?? 1000, growEveryMs: 200 }
}

export const mappingPlans = (find: Find): MappingPlan[] =>
  find('AWS::Lambda::EventSourceMapping').map((declared) => {
    const shape = declared.read(MappingShape)
    const { EventSourceArn, FunctionName, BatchSize, FunctionResponseTypes } = shape
    const queueName = lastPart(EventSourceArn)
    if (!FunctionResponseTypes.includes('ReportBatchItemFailures')) {
      throw new Error(
        `the mapping of ${queueName} does not report batch item failures: one bad message would redo the others`,
      )
    }
    return {
      queueName,
      queueArn: EventSourceArn,
      functionName: functionNameIn(FunctionName),
      batchSize: BatchSize,
      ...scalingOf(shape),
    }
  })

const RuleShape = z.object({
  ScheduleExpression: z.optional(z.string()),
  Targets: z._default(z.array(z.object({ Arn: z.string() })), []),
})

/** A function that a clock starts. */
export interface ClockPlan {
  functionName: string
  /** Of the function, or of its alias. */
  functionArn: string
  ruleArn: string
  everyMinutes: number
}

export const clockPlans = (find: Find): ClockPlan[] =>
  find('AWS::Events::Rule').flatMap((declared) => {
    const { ScheduleExpression, Targets } = declared.read(RuleShape)
    if (ScheduleExpression === undefined) return []
    const everyMinutes = Number(/^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1])
    if (!everyMinutes) throw new Error(`the local service has no clock for ${ScheduleExpression}`)
    return Targets.map(({ Arn }) => ({
      functionName: functionNameIn(Arn),
      functionArn: Arn,
      ruleArn: declared.attribute('Arn'),
      everyMinutes,
    }))
  })
