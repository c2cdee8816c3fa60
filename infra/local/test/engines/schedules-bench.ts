import * as aws from '@aws-sdk/client-scheduler'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Delivery, type Schedules, startSchedules } from '../../engines/schedules.ts'

// CONFORMANCE_AWS=1 aims the cases that fire nothing at the default endpoint, real AWS; it needs a role and a queue.
export const onAws = process.env['CONFORMANCE_AWS'] === '1'
const roleArn = process.env['CONFORMANCE_ROLE_ARN'] ?? 'arn:aws:iam::000000000000:role/scheduler'
export const queueArn = process.env['CONFORMANCE_QUEUE_ARN'] ?? 'arn:aws:sqs:us-east-1:000000000000:work'

let nowMs = Date.parse('2026-11-21T10:00:00Z')
/** What was delivered since the case began; a delivery fails while `failures` holds errors. */
export const delivered: Delivery[] = []
export const failures: Error[] = []
export async function deliver(delivery: Delivery): Promise<void> {
  const failure = failures.shift()
  if (failure) throw failure
  delivered.push(delivery)
}

const engine = onAws ? undefined : await startSchedules({ clock: { now }, deliver })
export const client = clientOf(engine)
const made: { Name: string; GroupName: string | undefined }[] = []

/** A case for the local engine alone. */
export const local = test.skipIf(onAws)

export function clientOf(schedules: Schedules | undefined): aws.SchedulerClient {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' }
  return new aws.SchedulerClient(schedules ? { endpoint: schedules.url, region: 'us-east-1', credentials } : {})
}

export function now(): number {
  return onAws ? Date.now() : nowMs
}

export function schedules(): Schedules {
  if (!engine) throw new Error('This case needs the local engine.')
  return engine
}

export async function pass(seconds: number): Promise<void> {
  nowMs += seconds * 1000
  await schedules().tick()
}

/** An `at()` so many seconds from now. */
export function at(seconds: number): string {
  return `at(${new Date(now() + seconds * 1000).toISOString().slice(0, 19)})`
}

export function target(rest: Partial<aws.Target> = {}): aws.Target {
  return { Arn: queueArn, RoleArn: roleArn, Input: '{"n":1}', ...rest }
}

export function newName(): string {
  return `conformance-${Date.now()}-${made.length}`
}

/** Creates a schedule that is due in an hour by default. */
export async function create(
  rest: Partial<aws.CreateScheduleInput> = {},
): Promise<{ Name: string; ScheduleArn: string }> {
  const input = {
    ScheduleExpression: at(3600),
    FlexibleTimeWindow: { Mode: 'OFF' as const },
    Target: target(),
    ...rest,
  }
  const Name = rest.Name ?? newName()
  made.push({ Name, GroupName: rest.GroupName })
  const { ScheduleArn = '' } = await client.send(new aws.CreateScheduleCommand({ ...input, Name }))
  return { Name, ScheduleArn }
}

export function get(Name: string): Promise<aws.GetScheduleCommandOutput> {
  return client.send(new aws.GetScheduleCommand({ Name }))
}

export function refused(call: Promise<unknown>, name: string): Promise<void> {
  return expect(call).rejects.toMatchObject({ name })
}

async function removeAll(): Promise<void> {
  for (const input of made.splice(0)) await client.send(new aws.DeleteScheduleCommand(input)).catch(() => undefined)
}

afterEach(async () => {
  await removeAll()
  delivered.length = 0
  failures.length = 0
  if (engine) engine.faults.onFire = undefined
})

afterAll(async () => {
  client.destroy()
  await engine?.close()
})
