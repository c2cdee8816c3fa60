import * as z from 'zod/mini'

const Arn = z.string().check(z.regex(/^arn:aws[a-z-]*:/), z.maxLength(1_600))

// The defaults are those of the API reference of RetryPolicy, read 2026-11-21.
const RetryPolicy = z.object({
  MaximumEventAgeInSeconds: z._default(z.int().check(z.minimum(60), z.maximum(86_400)), 86_400),
  MaximumRetryAttempts: z._default(z.int().check(z.minimum(0), z.maximum(185)), 185),
})

export const Target = z.object({
  Arn,
  RoleArn: Arn,
  Input: z.optional(z.string().check(z.minLength(1))),
  DeadLetterConfig: z.optional(z.object({ Arn: z.optional(Arn) })),
  RetryPolicy: z._default(RetryPolicy, { MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 }),
  SqsParameters: z.optional(
    z.object({ MessageGroupId: z.optional(z.string().check(z.minLength(1), z.maxLength(128))) }),
  ),
})
export type Target = z.infer<typeof Target>

/** The parameters of CreateSchedule. Dates are seconds, as on the wire. */
export const Definition = z.object({
  ScheduleExpression: z.string().check(z.minLength(1), z.maxLength(256)),
  ScheduleExpressionTimezone: z._default(z.string(), 'UTC'),
  FlexibleTimeWindow: z.object({
    Mode: z.enum(['OFF', 'FLEXIBLE']),
    MaximumWindowInMinutes: z.optional(z.int().check(z.minimum(1), z.maximum(1_440))),
  }),
  Target,
  StartDate: z.optional(z.number()),
  EndDate: z.optional(z.number()),
  Description: z.optional(z.string().check(z.maxLength(512))),
  State: z._default(z.enum(['ENABLED', 'DISABLED']), 'ENABLED'),
  ActionAfterCompletion: z._default(z.enum(['NONE', 'DELETE']), 'NONE'),
})
export type Definition = z.infer<typeof Definition>

/** A schedule as the engine keeps it; times in milliseconds. */
export const Schedule = z.object({
  name: z.string(),
  group: z.string(),
  definition: Definition,
  clientToken: z.optional(z.string()),
  createdAt: z.number(),
  /** The next firing; absent when there is none. */
  nextAt: z.optional(z.number()),
})
export type Schedule = z.infer<typeof Schedule>

export const Group = z.object({ name: z.string(), clientToken: z.optional(z.string()) })
export type Group = z.infer<typeof Group>

/** One firing in flight; it outlives its schedule. */
export const Invocation = z.object({
  id: z.string(),
  scheduleArn: z.string(),
  target: Target,
  scheduledAt: z.number(),
  dueAt: z.number(),
  attempts: z.number(),
})
export type Invocation = z.infer<typeof Invocation>

export function arnOfSchedule(group: string, name: string): string {
  return `arn:aws:scheduler:us-east-1:000000000000:schedule/${group}/${name}`
}

export function arnOfGroup(name: string): string {
  return `arn:aws:scheduler:us-east-1:000000000000:schedule-group/${name}`
}
