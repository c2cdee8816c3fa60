import { expect, test } from 'vitest'
import { Crash } from '../../infra/local/service/invocation.ts'
import { countKeys } from '../../shared/resources.ts'
import { sweep } from '../../shared/sweeper/sweep.ts'
import { dayMs, minuteMs } from '../../shared/time.ts'
import { synthesize } from '../infra/synth.ts'
import { listen, scheduleOn } from '../journeys/author.ts'
import { alarmsOf, recordMetrics } from '../support/cloudwatch.ts'
import { type Kit, type StartOptions, start } from '../support/start.ts'

const { app, ops } = synthesize()
const { names, rings } = alarmsOf(ops)

type Observe = NonNullable<StartOptions['observe']>

/** A service of which CloudWatch measures what it does; `failing` decides which effects get an error. */
const watch = async (
  failing: (effect: Parameters<Observe>[0]) => Error | undefined = () => undefined,
  options: StartOptions = {},
) => {
  let kit: Kit | undefined
  const recorder = recordMetrics(app, { now: () => kit?.clock.now() ?? 0 })
  let isOn = false
  kit = await start({
    ...options,
    observe: (effect, run) => {
      const error = isOn ? failing(effect) : undefined
      if (error === undefined) return run()
      if (error.name === 'ThrottlingException') {
        recorder.add('AWS/DynamoDB', 'ThrottledRequests', `Operation=${effect.action} TableName=of another stack`)
      }
      return Promise.reject(error)
    },
    seeAnswer: (_event, { statusCode }) => recorder.seeAnswer(statusCode),
  })
  const here = kit
  // The sweeper begins with a minute: between two of them, one of its runs is in each.
  await here.service.pass(minuteMs / 2)
  // An alarm that looks at the last quarter of an hour finds one.
  await recorder.pass(here, 16 * minuteMs)
  isOn = true
  const ringing = new Set<string>()
  const look = () => {
    for (const name of names) if (rings(name, recorder.data, here.clock.now())) ringing.add(name)
  }
  return {
    kit: here,
    recorder,
    ringing,
    recover: () => {
      isOn = false
    },
    /** Lets time pass, and looks at all alarms every minute. */
    async pass(ms: number, each: () => Promise<unknown> | unknown = () => undefined) {
      await recorder.pass(here, ms, async () => {
        await each()
        look()
      })
    },
    look,
    /** The alarms that ring now. */
    ringsNow: () => names.filter((name) => rings(name, recorder.data, here.clock.now())),
  }
}

const get = async ({ api }: Kit) => void (await api.$raw('GET', '/api/posts'))
const noAnswer = new Error('no answer')

/** Loses the messages and schedules of the posts to a platform, until its end is called. */
const loseMessages = ({ service }: Kit) => {
  service.queues.faults.onSend = ({ queueName }) => (/publish|prepare/.test(queueName) ? 'lose' : 'keep')
  return () => {
    service.queues.faults.onSend = () => 'keep'
  }
}

test('an hour of ordinary traffic with two failed requests rings no alarm', async () => {
  let broken = 0
  const { kit, pass, ringing, recorder } = await watch(({ functionName, action }) => {
    if (functionName !== 'posts-list' || action !== 'Query' || broken === 0) return undefined
    broken -= 1
    return noAnswer
  })
  await listen(kit)
  let minute = 0
  await pass(90 * minuteMs, async () => {
    minute += 1
    if (minute % 5 === 0) await scheduleOn(kit, 'bluesky', `Post ${minute}`, 3 * minuteMs)
    broken = minute === 40 || minute === 41 ? 1 : 0
    for (let n = 0; n < 3; n += 1) await get(kit)
  })
  const failed = recorder.data.filter(({ name, value }) => name === '5XXError' && value === 1)
  expect([failed.length, [...ringing]]).toEqual([2, []])
})

test('a post that is published minutes late triggers the alarm immediately, and several of them exhaust the error budget', async () => {
  const { kit, pass, ringing } = await watch()
  await pass(minuteMs)
  const end = loseMessages(kit)
  await scheduleOn(kit, 'bluesky', 'Late', 2 * minuteMs)
  await pass(5 * minuteMs)
  end()
  await pass(5 * minuteMs)
  expect([...ringing]).toEqual(['publish-lateness'])
  const endAgain = loseMessages(kit)
  for (let n = 0; n < 4; n += 1) await scheduleOn(kit, 'bluesky', `Late ${n}`, 2 * minuteMs)
  await pass(5 * minuteMs)
  endAgain()
  await pass(5 * minuteMs)
  expect([...ringing].sort()).toEqual(['objectives-fast', 'objectives-slow', 'publish-lateness'])
})

test('work that is resumed in vain, and its end', async () => {
  const { kit, pass, ringing, ringsNow } = await watch()
  await pass(minuteMs)
  const end = loseMessages(kit)
  await scheduleOn(kit, 'bluesky', 'Late', 2 * minuteMs)
  await pass(40 * minuteMs)
  expect([...ringing]).toEqual(['overdue-work'])
  // It stays on for as long as the work is overdue.
  const isOn: boolean[] = []
  await pass(60 * minuteMs, () => void isOn.push(ringsNow().includes('overdue-work')))
  expect(isOn).not.toContain(false)
  end()
  await pass(40 * minuteMs)
  expect(ringsNow()).not.toContain('overdue-work')
})

const allCalls = { operation: '*', times: 1_000_000 } as const

test('posts that wait for their platform ring after five minutes, until it answers', async () => {
  const { kit, pass, ringing, ringsNow } = await watch()
  kit.platforms.faults.add({ ...allCalls, platform: 'discord', fault: 'html_503' })
  await scheduleOn(kit, 'discord', 'Waits', 2 * minuteMs)
  await pass(6 * minuteMs)
  expect([...ringing]).toEqual([])
  await pass(20 * minuteMs)
  expect([...ringing]).toEqual(['posts-waiting'])
  const isOn: boolean[] = []
  await pass(60 * minuteMs, () => void isOn.push(ringsNow().includes('posts-waiting')))
  expect(isOn).not.toContain(false)
  kit.platforms.faults.clear()
  await pass(40 * minuteMs)
  expect([ringsNow(), kit.platforms.published().length]).toEqual([[], 1])
})

test('a limit of a platform is no outage', async () => {
  const { kit, pass, ringing } = await watch()
  kit.platforms.faults.add({ ...allCalls, platform: 'discord', fault: 'rate_limited', retryAfterSeconds: 1200 })
  await scheduleOn(kit, 'discord', 'Limited', 2 * minuteMs)
  await pass(50 * minuteMs)
  expect([...ringing]).toEqual([])
})

test('a platform that refuses the operator’s app triggers the alarm immediately, until that is fixed', async () => {
  const { kit, pass, ringing, ringsNow } = await watch()
  kit.platforms.faults.add({ ...allCalls, platform: 'discord', fault: 'token_revoked' })
  await scheduleOn(kit, 'discord', 'Refused', 2 * minuteMs)
  await pass(4 * minuteMs)
  expect([...ringing]).toEqual(['operator-action-needed'])
  const isOn: boolean[] = []
  await pass(60 * minuteMs, () => void isOn.push(ringsNow().includes('operator-action-needed')))
  expect(isOn).not.toContain(false)
  const alerts = kit.logged.map((line) => JSON.parse(line)).filter((line) => line.OperatorActionNeeded === 1)
  expect(alerts[0]).toMatchObject({ message: 'operator action needed', platform: 'discord' })
  kit.platforms.faults.clear()
  await pass(40 * minuteMs)
  expect([ringsNow(), kit.platforms.published().length]).toEqual([[], 1])
})

test('a sweeper that does not run rings, because silence counts', async () => {
  const { kit, pass, look, ringing, ringsNow } = await watch()
  await pass(20 * minuteMs)
  expect([...ringing]).toEqual([])
  kit.clock.pass(16 * minuteMs)
  look()
  expect([...ringing]).toEqual(['sweep-silent'])
  await pass(2 * minuteMs)
  expect(ringsNow()).toEqual([])
})

test('messages that fail are logged, and given up after five tries', async () => {
  const { kit, pass, ringing } = await watch(({ functionName, service }) =>
    functionName === 'relay-events' && service === 'dynamodb' ? noAnswer : undefined,
  )
  for (let n = 0; n < 3; n += 1) await scheduleOn(kit, 'bluesky', `Post ${n}`, 120 * minuteMs)
  await pass(60 * minuteMs)
  expect([...ringing].sort()).toEqual(['dead-letters-messages', 'overdue-work', 'worker-logged-errors'])
})

test('invocations that die', async () => {
  const { kit, pass, ringing } = await watch(({ functionName }) =>
    functionName === 'relay-events' ? new Crash('out of memory') : undefined,
  )
  for (let n = 0; n < 3; n += 1) {
    await scheduleOn(kit, 'bluesky', `Post ${n}`, 120 * minuteMs)
    await pass(minuteMs / 6)
  }
  // Here, what is dead still logs its end.
  expect([...ringing].filter((name) => name !== 'worker-logged-errors')).toEqual(['failed-invocations'])
})

test('writes that are throttled', async () => {
  const throttled = Object.assign(new Error('throttled'), { name: 'ThrottlingException' })
  const { kit, pass, ringing } = await watch(({ functionName, action }) =>
    functionName === 'posts-schedule' && action === 'TransactWriteItems' ? throttled : undefined,
  )
  await pass(12 * minuteMs, async () => {
    for (let n = 0; n < 3; n += 1) await scheduleOn(kit, 'bluesky', 'Post', 60 * minuteMs).catch(() => undefined)
  })
  expect([...ringing].sort()).toEqual(['api-5xx-rate', 'table-throttled'])
})

test('requests that fail again and again', async () => {
  const { kit, pass, ringing, ringsNow, recover } = await watch(({ functionName, action }) =>
    functionName === 'posts-list' && action === 'Query' ? noAnswer : undefined,
  )
  await pass(12 * minuteMs, () => get(kit))
  expect([...ringing]).toEqual(['api-5xx-rate'])
  recover()
  await pass(20 * minuteMs, () => get(kit))
  expect(ringsNow()).toEqual([])
})

test('calls that cannot be counted, and emails that are not taken', async () => {
  const { kit, pass, ringing } = await watch(({ functionName, service, resource }) => {
    if (service === 'ses') return noAnswer
    return functionName === 'posts-list' && resource.endsWith(`/${countKeys}`) ? noAnswer : undefined
  })
  await kit.api.auth.signUp({ body: { email: 'ann@example.com', name: 'Ann', password: 'correct horse battery' } })
  await pass(minuteMs)
  expect([...ringing]).toEqual(['unsent-emails'])
  await get(kit)
  await pass(minuteMs)
  expect([...ringing].sort()).toEqual(['uncounted-calls', 'unsent-emails'])
})

test('schedules that the Scheduler cannot hand over, as it reports them', async () => {
  const { kit, pass, ringing, recorder } = await watch()
  kit.service.schedules.faults.onFire = () => {
    recorder.add('AWS/Scheduler', 'TargetErrorCount', 'ScheduleGroup=social-test')
    return 'lose'
  }
  await scheduleOn(kit, 'bluesky', 'Post', 20 * minuteMs)
  await pass(30 * minuteMs)
  expect([...ringing]).toEqual(['schedules-dropped'])
})

test('each further message that is given up rings again', () => {
  let nowMs = 10 * minuteMs
  const { data, add } = recordMetrics(app, { now: () => nowMs })
  const ringing = [0, 1, 1, 2, 2, 0].map((count) => {
    nowMs += minuteMs
    // An empty, unused queue has no values.
    if (count > 0) add('AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName=dead-letters', count)
    return rings('dead-letters-messages', data, nowMs)
  })
  expect(ringing).toEqual([false, true, false, true, false, false])
})

test('metrics that only AWS has: throttled invocations of this stage, and the reputation of emails', () => {
  let nowMs = 10 * minuteMs
  const { data, add } = recordMetrics(app, { now: () => nowMs })
  const ringsNow = () => names.filter((name) => name !== 'sweep-silent' && rings(name, data, nowMs))
  for (const FunctionName of ['publish-post', 'of another stage']) {
    nowMs += 60 * minuteMs
    add('AWS/Lambda', 'Throttles', `FunctionName=${FunctionName}`)
    nowMs += 5 * minuteMs
    add('AWS/Lambda', 'Throttles', `FunctionName=${FunctionName}`)
    expect(ringsNow()).toEqual(FunctionName === 'publish-post' ? ['lambda-throttled'] : [])
  }
  for (const [bounces, complaints] of [
    [0.02, 0.0001],
    [0.031, 0],
    [0, 0.0006],
  ] as const) {
    nowMs += 120 * minuteMs
    add('AWS/SES', 'Reputation.BounceRate', '', bounces)
    add('AWS/SES', 'Reputation.ComplaintRate', '', complaints)
    expect(ringsNow()).toEqual(bounces === 0.02 ? [] : ['email-reputation'])
  }
})

test('the end of an API rings 90 and 30 days before, also while another one is near', async () => {
  const ends = Date.UTC(2030, 3, 1)
  const day = (days: number) => new Date(ends + days * dayMs).toISOString().slice(0, 10)
  const { kit, pass, ringing, ringsNow } = await watch(undefined, {
    startMs: ends - 90 * dayMs - 40 * minuteMs,
    platformApiEnds: { facebook: null, instagram: null, linkedin: day(60), reddit: day(0) },
  })
  /** Moves to some minutes after a day, at which the sweeper runs. */
  const moveTo = async (days: number, minutes: number) => {
    kit.clock.set(ends - days * dayMs + minutes * minuteMs)
    await sweep(kit.service.contextOf('sweep'))
    await pass(minuteMs / 2)
  }
  expect([...ringing]).toEqual([])
  await moveTo(90, 2)
  expect(ringsNow()).toContain('platform-api-ends')
  await moveTo(90, 64)
  expect(ringsNow()).not.toContain('platform-api-ends')
  // Reddit's 30 days and LinkedIn's 90 begin immediately, while Reddit's 90 still count.
  await moveTo(30, -58)
  await moveTo(30, -1)
  await moveTo(30, 3)
  expect(ringsNow()).toContain('platform-api-ends')
  await moveTo(30, 64)
  expect(ringsNow()).not.toContain('platform-api-ends')
  expect(kit.logged.join()).toContain(`"apis":"linkedin 202607 ${day(60)}, reddit ${day(0)}"`)
})
