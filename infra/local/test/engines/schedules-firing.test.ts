import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as aws from '@aws-sdk/client-scheduler'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { momentOf, wallTime } from '../../engines/schedules/zone.ts'
import { startSchedules } from '../../engines/schedules.ts'
import {
  at,
  clientOf,
  create,
  deliver,
  delivered,
  failures,
  get,
  newName,
  now,
  onAws,
  pass,
  refused,
  schedules,
  target,
} from './schedules-bench.ts'

const universal = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage'
const sendMessage = (rest: object) => target({ Arn: universal, Input: JSON.stringify({ MessageBody: 'm', ...rest }) })
const dead = 'arn:aws:sqs:us-east-1:000000000000:dead'

// Firing is proven on the moved clock alone: AWS fires within a minute, which is no time for a test to wait.
describe.skipIf(onAws)('a schedule fires', () => {
  test('once, at its second', async () => {
    const { Name } = await create({ ScheduleExpression: at(90) })
    expect(schedules().nextDueAt()).toBe(now() + 90_000)
    await pass(89)
    expect(delivered).toEqual([])
    await pass(1)
    await pass(3600)
    expect(delivered).toHaveLength(1)
    expect((await get(Name)).State).toBe('ENABLED')
    expect(schedules().nextDueAt()).toBeUndefined()
  })
  test('and is deleted after its last firing if configured', async () => {
    const { Name } = await create({ ScheduleExpression: at(1), ActionAfterCompletion: 'DELETE' })
    await get(Name)
    await pass(1)
    expect(delivered).toHaveLength(1)
    await refused(get(Name), 'ResourceNotFoundException')
  })
  test('in its time zone', async () => {
    const input = { ScheduleExpression: 'at(2027-03-01T09:30:00)', ScheduleExpressionTimezone: 'America/New_York' }
    await create(input)
    expect(schedules().nextDueAt()).toBe(Date.parse('2027-03-01T14:30:00Z'))
  })
  test('immediately if its time has passed', async () => {
    await create({ ScheduleExpression: at(-3600) })
    await pass(0)
    expect(delivered).toHaveLength(1)
  })
  test('not while disabled', async () => {
    await create({ ScheduleExpression: at(10), State: 'DISABLED' })
    expect(schedules().nextDueAt()).toBeUndefined()
    await pass(10)
    expect(delivered).toEqual([])
  })
  test('at its rate, from creation or from its start, until its end', async () => {
    const inMs = (seconds: number) => new Date(now() + seconds * 1000)
    await create({ ScheduleExpression: 'rate(1 minute)', EndDate: inMs(120), Target: target({ Input: 'now' }) })
    const started = { StartDate: inMs(90), EndDate: inMs(211), Target: target({ Input: 'later' }) }
    await create({ ScheduleExpression: 'rate(2 minutes)', ...started, ActionAfterCompletion: 'DELETE' })
    const fired: [number, string][] = []
    for (let second = 0; second <= 360; second += 30) {
      await pass(second === 0 ? 0 : 30)
      for (const delivery of delivered.splice(0)) if (delivery.kind === 'queue') fired.push([second, delivery.body])
    }
    expect(fired).toEqual([
      [0, 'now'],
      [60, 'now'],
      [90, 'later'],
      [210, 'later'],
    ])
  })
  test('once for all the times missed while the engine was stopped', async () => {
    await create({ ScheduleExpression: 'rate(1 minute)' })
    await pass(0)
    await pass(3630)
    expect(delivered).toHaveLength(2)
    expect(schedules().nextDueAt()).toBe(now() + 30_000)
  })
  test('by itself with a real clock', async () => {
    let aheadMs = 0
    const real = await startSchedules({ clock: { now: () => Date.now() + aheadMs }, deliver })
    const client = clientOf(real)
    const second = Math.floor(Date.now() / 1000) + 60
    aheadMs = second * 1000 - Date.now() - 150
    const ScheduleExpression = `at(${new Date(second * 1000).toISOString().slice(0, 19)})`
    const rest = { Name: newName(), FlexibleTimeWindow: { Mode: 'OFF' as const }, Target: target() }
    await client.send(new aws.CreateScheduleCommand({ ...rest, ScheduleExpression }))
    await expect.poll(() => delivered.length, { timeout: 2000, interval: 10 }).toBe(1)
    client.destroy()
    await real.close()
  })
})

describe.skipIf(onAws)('a delivery', () => {
  const url = 'http://127.0.0.1:1/000000000000/publish-x'
  const message = { kind: 'queue', queueName: 'publish-x', body: 'm', messageGroupId: 'x#ws1', delaySeconds: 7 }
  const lambda = 'arn:aws:lambda:us-east-1:000000000000:function:sweep'
  test.each<[string, aws.Target, object]>([
    ['sqs:sendMessage', sendMessage({ QueueUrl: url, MessageGroupId: 'x#ws1', DelaySeconds: 7 }), message],
    [
      'a queue',
      target({ SqsParameters: { MessageGroupId: 'g' } }),
      { kind: 'queue', queueName: 'work', body: '{"n":1}', messageGroupId: 'g' },
    ],
    ['a function', target({ Arn: lambda }), { kind: 'function', functionName: 'sweep', payload: '{"n":1}' }],
    [
      'a function version, without input',
      target({ Arn: `${lambda}:live`, Input: undefined }),
      { kind: 'function', functionName: 'sweep', payload: '{}' },
    ],
  ])('goes to %s', async (_title, Target, expected) => {
    await create({ ScheduleExpression: at(1), Target })
    await pass(1)
    expect(delivered).toEqual([expect.objectContaining(expected)])
  })
  test('fills in placeholders at the time of firing', async () => {
    const Input = '<aws.scheduler.scheduled-time> <aws.scheduler.schedule-arn> <aws.scheduler.attempt-number>'
    const { ScheduleArn } = await create({ ScheduleExpression: at(1), Target: target({ Input }) })
    const time = at(1).slice(3, -1)
    await pass(1)
    expect(delivered).toMatchObject([{ body: `${time}Z ${ScheduleArn} 1` }])
  })
  test('that fails is retried with increasing delays', async () => {
    failures.push(new Error('down'), new Error('down'))
    await create({ ScheduleExpression: at(1), ActionAfterCompletion: 'DELETE' })
    await pass(1)
    await pass(0)
    expect(failures).toHaveLength(1)
    await pass(1)
    await pass(1)
    expect([failures.length, delivered.length]).toEqual([0, 0])
    await pass(1)
    expect(delivered).toHaveLength(1)
  })
  test.each([
    [{ MaximumRetryAttempts: 2 }, 'MaximumRetryAttempts', '2'],
    [{ MaximumEventAgeInSeconds: 60 }, 'MaximumEventAgeInSeconds', '5'],
  ])('that fails beyond %o goes to the dead-letter queue', async (RetryPolicy, condition, retries) => {
    const attempts = Number(retries) + 1
    failures.push(...Array.from({ length: attempts }, () => new TypeError('down')))
    const Target = target({ RetryPolicy, DeadLetterConfig: { Arn: dead } })
    const { ScheduleArn } = await create({ ScheduleExpression: at(1), Target })
    for (let second = 0; second < 100; second++) await pass(1)
    const attributes = {
      EXHAUSTED_RETRY_CONDITION: condition,
      RETRY_ATTEMPTS: retries,
      SCHEDULE_ARN: ScheduleArn,
      ERROR_CODE: 'TypeError',
    }
    expect(delivered).toMatchObject([{ kind: 'queue', queueName: 'dead', body: '{"n":1}', attributes }])
  })
  test('does not wait for one that hangs', async () => {
    let release = () => {}
    const hanging = new Promise<void>((resolve) => (release = resolve))
    const bodies: string[] = []
    const engine = await startSchedules({
      clock: { now },
      async deliver(delivery) {
        bodies.push(delivery.kind === 'queue' ? delivery.body : 'function')
        if (delivery.kind === 'function') await hanging
      },
    })
    const client = clientOf(engine)
    const rest = { ScheduleExpression: at(-1), FlexibleTimeWindow: { Mode: 'OFF' as const } }
    await client.send(new aws.CreateScheduleCommand({ ...rest, Name: 'slow', Target: target({ Arn: lambda }) }))
    const first = engine.tick()
    await client.send(new aws.CreateScheduleCommand({ ...rest, Name: 'quick', Target: target() }))
    void engine.tick()
    await expect.poll(() => bodies, { timeout: 1000, interval: 5 }).toEqual(['function', '{"n":1}'])
    expect(engine.nextDueAt()).toBeUndefined()
    release()
    await first
    client.destroy()
    await engine.close()
  })
  test('can be lost, duplicated, or late', async () => {
    for (const Name of ['lost', 'twice', 'late'])
      await create({ Name, ScheduleExpression: at(1), Target: target({ Input: Name }) })
    schedules().faults.onFire = (name) =>
      name === 'lost' ? 'lose' : name === 'twice' ? 'double' : { delaySeconds: 60 }
    await pass(1)
    expect(delivered).toMatchObject([{ body: 'twice' }, { body: 'twice' }])
    await pass(60)
    expect(delivered[2]).toMatchObject({ body: 'late' })
  })
})

describe.skipIf(onAws)('state', () => {
  test('survives a restart, with pending deliveries', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'schedules-'))
    const options = { clock: { now }, folder }
    const first = await startSchedules({ ...options, deliver: () => Promise.reject(new Error('down')) })
    const client = clientOf(first)
    const rest = { FlexibleTimeWindow: { Mode: 'OFF' as const }, Target: target() }
    await client.send(new aws.CreateScheduleCommand({ ...rest, Name: 'later', ScheduleExpression: at(60) }))
    const gone = {
      ScheduleExpression: at(-1),
      ActionAfterCompletion: 'DELETE' as const,
      Target: target({ Input: 'due' }),
    }
    await client.send(new aws.CreateScheduleCommand({ ...rest, ...gone, Name: 'due' }))
    await first.tick()
    client.destroy()
    await first.close()

    const second = await startSchedules({ ...options, deliver })
    await pass(1)
    await second.tick()
    expect(delivered).toMatchObject([{ body: 'due' }])
    await pass(59)
    await second.tick()
    expect(delivered).toMatchObject([{ body: 'due' }, { body: '{"n":1}' }])
    await second.close()
    const third = await startSchedules({ ...options, deliver })
    await third.tick()
    expect(delivered).toHaveLength(2)
    await third.close()
    await rm(folder, { recursive: true })
  })
  test('stops writing when closed, so that deliveries in progress are repeated', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'schedules-'))
    const { promise, resolve } = Promise.withResolvers<void>()
    const engine = await startSchedules({ clock: { now }, folder, deliver: () => promise })
    const client = clientOf(engine)
    const rest = { ScheduleExpression: at(-1), FlexibleTimeWindow: { Mode: 'OFF' as const }, Target: target() }
    await client.send(new aws.CreateScheduleCommand({ ...rest, Name: 'slow' }))
    const ticked = engine.tick()
    client.destroy()
    await engine.close()
    resolve()
    await ticked
    const again = await startSchedules({ clock: { now }, folder, deliver })
    await again.tick()
    expect(delivered).toHaveLength(1)
    await again.close()
    await rm(folder, { recursive: true })
  })
  test('that is corrupt is named in the error', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'schedules-'))
    const file = join(folder, 'schedules.sqlite')
    await writeFile(file, 'this is no database')
    await expect(startSchedules({ clock: { now }, folder, deliver })).rejects.toThrow(file)
    await rm(folder, { recursive: true })
  })
})

describe('wall time', () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Europe/Berlin',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Kiritimati',
  ]
  test('converts back to the original instant, except for hours that occur twice', () => {
    const moment = fc.integer({ min: Date.parse('2000-01-01') / 1000, max: Date.parse('2060-01-01') / 1000 })
    fc.assert(
      fc.property(moment, fc.constantFrom(...zones), (seconds, zone) => {
        const shown = wallTime(seconds * 1000, zone)
        const read = momentOf(shown, zone)
        expect(wallTime(read, zone)).toBe(shown)
        expect(read).toBeLessThanOrEqual(seconds * 1000)
      }),
      { numRuns: 500 },
    )
  })
  test.each([
    ['2027-03-14T02:30:00', 'America/New_York', '2027-03-14T07:30:00Z'],
    ['2027-03-14T05:00:00', 'America/New_York', '2027-03-14T09:00:00Z'],
    ['2027-11-07T01:30:00', 'America/New_York', '2027-11-07T05:30:00Z'],
    ['2027-10-31T02:30:00', 'Europe/Berlin', '2027-10-31T00:30:00Z'],
    ['2027-07-01T00:00:00', 'Asia/Kolkata', '2027-06-30T18:30:00Z'],
  ])('%s in %s is %s', (time, zone, moment) => {
    expect(momentOf(time, zone)).toBe(Date.parse(moment))
  })
})
