import * as z from 'zod/mini'
import { lastPart } from './arn.ts'
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
  /** The log group, where it is not Lambda's own. */
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
})

/** A queue that feeds a function. */
export interface MappingPlan {
  queueName: string
  queueArn: string
  functionName: string
  batchSize: number
  /** Batches in hand at once; Lambda starts with five. */
  pollers: number
  /** As many as it comes to where all are busy: the mapping's own bound, or 1,000 (Lambda guide, SQS scaling). */
  maxPollers: number
}

export const mappingPlans = (find: Find): MappingPlan[] =>
  find('AWS::Lambda::EventSourceMapping').map((declared) => {
    const { EventSourceArn, FunctionName, BatchSize, FunctionResponseTypes, ScalingConfig } =
      declared.read(MappingShape)
    const queueName = lastPart(EventSourceArn)
    if (!FunctionResponseTypes.includes('ReportBatchItemFailures')) {
      throw new Error(
        `the mapping of ${queueName} does not report batch item failures: one bad message would redo the others`,
      )
    }
    return {
      queueName,
      queueArn: EventSourceArn,
      functionName: lastPart(FunctionName),
      batchSize: BatchSize,
      pollers: Math.min(5, ScalingConfig?.MaximumConcurrency ?? 5),
      maxPollers: ScalingConfig?.MaximumConcurrency ?? 1000,
    }
  })

const RuleShape = z.object({
  ScheduleExpression: z.optional(z.string()),
  Targets: z._default(z.array(z.object({ Arn: z.string() })), []),
})

/** A function that a clock starts. */
export interface ClockPlan {
  functionName: string
  ruleArn: string
  everyMinutes: number
}

export const clockPlans = (find: Find): ClockPlan[] =>
  find('AWS::Events::Rule').flatMap((declared) => {
    const { ScheduleExpression, Targets } = declared.read(RuleShape)
    if (ScheduleExpression === undefined) return []
    const everyMinutes = Number(/^rate\((\d+) minutes?\)$/.exec(ScheduleExpression)?.[1])
    if (!everyMinutes) throw new Error(`the local service has no clock for ${ScheduleExpression}`)
    return Targets.map(({ Arn }) => ({ functionName: lastPart(Arn), ruleArn: declared.attribute('Arn'), everyMinutes }))
  })
