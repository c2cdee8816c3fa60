import * as aws from '@aws-sdk/client-scheduler'
import { describe, expect, test } from 'vitest'
import { at, client, create, get, local, newName, now, onAws, queueArn, refused, target } from './schedules-bench.ts'

describe('schedules', () => {
  test('are created and read back with their defaults', async () => {
    const { Name, ScheduleArn } = await create({
      ScheduleExpression: 'rate(5 minutes)',
      State: 'DISABLED',
      Description: 'd',
    })
    const schedule = await get(Name)
    expect(ScheduleArn).toMatch(new RegExp(`^arn:aws:scheduler:[a-z0-9-]+:\\d{12}:schedule/default/${Name}$`))
    expect(schedule).toMatchObject({
      Arn: ScheduleArn,
      Name,
      GroupName: 'default',
      State: 'DISABLED',
      Description: 'd',
    })
    expect(schedule).toMatchObject({ ScheduleExpressionTimezone: 'UTC', ActionAfterCompletion: 'NONE' })
    expect(schedule.Target?.RetryPolicy).toEqual({ MaximumEventAgeInSeconds: 86_400, MaximumRetryAttempts: 185 })
    expect(Math.abs((schedule.CreationDate?.getTime() ?? 0) - now())).toBeLessThan(60_000)
  })
  test('with the same token are created once, and rejected with another token', async () => {
    const input = { Name: newName(), ClientToken: 'token-1', ScheduleExpression: at(3600) }
    expect(await create(input)).toEqual(await create(input))
    await refused(create({ ...input, ClientToken: 'token-2' }), 'ConflictException')
    const error = await create({ Name: input.Name }).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(aws.ConflictException)
  })
  test('are deleted', async () => {
    const { Name } = await create()
    await client.send(new aws.DeleteScheduleCommand({ Name }))
    await refused(get(Name), 'ResourceNotFoundException')
  })
  test('that are missing, or in a missing group, are not found', async () => {
    const Name = newName()
    await refused(get(Name), 'ResourceNotFoundException')
    await refused(client.send(new aws.DeleteScheduleCommand({ Name })), 'ResourceNotFoundException')
    await refused(create({ GroupName: 'missing' }), 'ResourceNotFoundException')
  })
  const fifo = `${queueArn}.fifo`
  test.each<[string, Partial<aws.CreateScheduleInput>]>([
    ['a name with a blank', { Name: 'a b' }],
    ['a name of 65 characters', { Name: 'a'.repeat(65) }],
    ['no expression', { ScheduleExpression: 'tomorrow' }],
    ['a day that is not', { ScheduleExpression: 'at(2027-02-29T10:00:00)' }],
    ['an hour that is not', { ScheduleExpression: 'at(2027-02-20T24:00:00)' }],
    ['a time with a zone inside', { ScheduleExpression: 'at(2027-02-20T10:00:00Z)' }],
    ['a rate of nothing', { ScheduleExpression: 'rate(0 minutes)' }],
    ['a rate in seconds', { ScheduleExpression: 'rate(30 seconds)' }],
    ['a zone that is not', { ScheduleExpressionTimezone: 'Mars/Olympus' }],
    ['a window without length', { FlexibleTimeWindow: { Mode: 'FLEXIBLE' } }],
    [
      'an end before the start',
      { ScheduleExpression: 'rate(1 hour)', StartDate: new Date('2040-01-02'), EndDate: new Date('2040-01-01') },
    ],
    ['a role that is no ARN', { Target: target({ RoleArn: 'role' }) }],
    ['an age under a minute', { Target: target({ RetryPolicy: { MaximumEventAgeInSeconds: 59 } }) }],
    ['186 retries', { Target: target({ RetryPolicy: { MaximumRetryAttempts: 186 } }) }],
    ['a FIFO dead-letter queue', { Target: target({ DeadLetterConfig: { Arn: fifo } }) }],
    ['a FIFO queue without a group', { Target: target({ Arn: fifo }) }],
  ])('are rejected with %s', async (_title, input) => {
    await refused(create(input), 'ValidationException')
  })
  const universal = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage'
  local.each<[string, Partial<aws.CreateScheduleInput>]>([
    ['cron()', { ScheduleExpression: 'cron(0 8 * * ? *)' }],
    ['targets without a stand-in', { Target: target({ Arn: 'arn:aws:sns:us-east-1:000000000000:topic' }) }],
    ['messages without a queue', { Target: target({ Arn: universal, Input: '{"MessageBody":"x"}' }) }],
  ])('are rejected here with an explanation: %s', async (_title, input) => {
    await refused(create(input), 'ValidationException')
  })
})

describe('groups', () => {
  test('separate schedules of the same name', async () => {
    const group = newName()
    const input = { Name: group, ClientToken: 'g1' }
    const made = await client.send(new aws.CreateScheduleGroupCommand(input))
    expect((await client.send(new aws.CreateScheduleGroupCommand(input))).ScheduleGroupArn).toBe(made.ScheduleGroupArn)
    await refused(client.send(new aws.CreateScheduleGroupCommand({ Name: group })), 'ConflictException')
    const { Name, ScheduleArn } = await create({ GroupName: group })
    expect(ScheduleArn).toContain(`schedule/${group}/${Name}`)
    await refused(get(Name), 'ResourceNotFoundException')
    expect((await client.send(new aws.GetScheduleCommand({ Name, GroupName: group }))).GroupName).toBe(group)
    // On AWS, its schedules go with it.
    if (onAws) await client.send(new aws.DeleteScheduleGroupCommand({ Name: group }))
  })
})
