import * as aws from '@aws-sdk/client-scheduler'
import { describe, expect, test } from 'vitest'
import {
  at,
  client,
  create,
  get,
  local,
  newName,
  now,
  onAws,
  queueArn,
  refused,
  schedules,
  target,
} from './schedules-bench.ts'

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
  test('are replaced as a whole by an update', async () => {
    const EndDate = new Date(Math.floor(now() / 1000) * 1000 + 7_200_000)
    const { Name } = await create({
      Description: 'before',
      ScheduleExpression: 'rate(1 hour)',
      StartDate: new Date(now() + 3_600_000),
      EndDate,
    })
    const before = await get(Name)
    expect(before.EndDate).toEqual(EndDate)
    const rest = {
      FlexibleTimeWindow: { Mode: 'FLEXIBLE' as const, MaximumWindowInMinutes: 5 },
      Target: target({ Input: '{"n":2}' }),
    }
    await client.send(new aws.UpdateScheduleCommand({ Name, ScheduleExpression: at(7200), ...rest }))
    const after = await get(Name)
    expect(after).toMatchObject({ ScheduleExpression: at(7200), FlexibleTimeWindow: rest.FlexibleTimeWindow })
    expect(after.Target?.Input).toBe('{"n":2}')
    expect([after.Description, after.EndDate]).toEqual([undefined, undefined])
    expect(after.CreationDate).toEqual(before.CreationDate)
  })
  test('are deleted', async () => {
    const { Name } = await create()
    await client.send(new aws.DeleteScheduleCommand({ Name }))
    await refused(get(Name), 'ResourceNotFoundException')
  })
  test('that are missing, or in a missing group, are not found', async () => {
    const Name = newName()
    const rest = { ScheduleExpression: at(60), FlexibleTimeWindow: { Mode: 'OFF' as const }, Target: target() }
    await refused(get(Name), 'ResourceNotFoundException')
    await refused(client.send(new aws.DeleteScheduleCommand({ Name })), 'ResourceNotFoundException')
    await refused(client.send(new aws.UpdateScheduleCommand({ Name, ...rest })), 'ResourceNotFoundException')
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
  ])('are rejected with %s', async (_what, input) => {
    await refused(create(input), 'ValidationException')
  })
  const universal = 'arn:aws:scheduler:::aws-sdk:sqs:sendMessage'
  local.each<[string, Partial<aws.CreateScheduleInput>]>([
    ['cron()', { ScheduleExpression: 'cron(0 8 * * ? *)' }],
    ['targets without a stand-in', { Target: target({ Arn: 'arn:aws:sns:us-east-1:000000000000:topic' }) }],
    ['messages without a queue', { Target: target({ Arn: universal, Input: '{"MessageBody":"x"}' }) }],
  ])('are rejected here with an explanation: %s', async (_what, input) => {
    await refused(create(input), 'ValidationException')
  })
  test('are listed by prefix, state, and group, page by page', async () => {
    const prefix = newName()
    for (const suffix of ['c', 'a', 'b'])
      await create({ Name: `${prefix}-${suffix}`, State: suffix === 'b' ? 'DISABLED' : 'ENABLED' })
    const list = async (query: aws.ListSchedulesInput) => {
      const names: (string | undefined)[] = []
      const pages = aws.paginateListSchedules({ client, pageSize: 1 }, { NamePrefix: prefix, ...query })
      for await (const page of pages) names.push(...(page.Schedules ?? []).map(({ Name }) => Name?.slice(-1)))
      return names
    }
    expect((await list({})).sort()).toEqual(['a', 'b', 'c'])
    expect((await list({ State: 'ENABLED', GroupName: 'default' })).sort()).toEqual(['a', 'c'])
    await refused(list({ GroupName: 'missing' }), 'ResourceNotFoundException')
    const [first] = (await client.send(new aws.ListSchedulesCommand({ NamePrefix: prefix }))).Schedules ?? []
    expect(first).toMatchObject({ GroupName: 'default', Target: { Arn: queueArn } })
  })
})

describe('groups', () => {
  test('separate schedules of the same name and delete them with the group', async () => {
    const group = newName()
    const input = { Name: group, ClientToken: 'g1', Tags: [{ Key: 'a', Value: '1' }] }
    const { ScheduleGroupArn: ResourceArn = '' } = await client.send(new aws.CreateScheduleGroupCommand(input))
    await client.send(new aws.CreateScheduleGroupCommand(input))
    await refused(client.send(new aws.CreateScheduleGroupCommand({ Name: group })), 'ConflictException')
    const { Name, ScheduleArn } = await create({ GroupName: group })
    expect(ScheduleArn).toContain(`schedule/${group}/${Name}`)
    await refused(get(Name), 'ResourceNotFoundException')
    expect((await client.send(new aws.GetScheduleCommand({ Name, GroupName: group }))).GroupName).toBe(group)

    await client.send(new aws.TagResourceCommand({ ResourceArn, Tags: [{ Key: 'b', Value: '2' }] }))
    await client.send(new aws.UntagResourceCommand({ ResourceArn, TagKeys: ['a'] }))
    const { Tags } = await client.send(new aws.ListTagsForResourceCommand({ ResourceArn }))
    expect(Tags).toEqual([{ Key: 'b', Value: '2' }])

    const listed = await client.send(new aws.ListScheduleGroupsCommand({ NamePrefix: group }))
    expect(listed.ScheduleGroups).toMatchObject([{ Name: group, State: 'ACTIVE', Arn: ResourceArn }])
    await client.send(new aws.DeleteScheduleGroupCommand({ Name: group }))
    await expect
      .poll(
        () =>
          client.send(new aws.GetScheduleGroupCommand({ Name: group })).then(
            () => 'there',
            ({ name }) => name,
          ),
        { timeout: 20_000 },
      )
      .toBe('ResourceNotFoundException')
    await refused(client.send(new aws.GetScheduleCommand({ Name, GroupName: group })), 'ResourceNotFoundException')
    if (!onAws) expect(schedules().nextDueAt()).toBeUndefined()
  })
  test('cannot delete the default one', async () => {
    await refused(client.send(new aws.DeleteScheduleGroupCommand({ Name: 'default' })), 'ValidationException')
  })
})
