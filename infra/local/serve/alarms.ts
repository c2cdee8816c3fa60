import { randomUUID } from 'node:crypto'
import type { MetricName } from '../../../shared/context.ts'
import { dayMs, minuteMs } from '../../../shared/time.ts'
import { delayAlarmMs, latenessAlarmMs } from '../../deploy/stacks/thresholds.ts'

/** A value of a metric; the alarm is on while one at or above the threshold is younger than `minutes`. */
interface MetricRule {
  metric: MetricName
  threshold: number
  minutes: number
}

/** Read each minute; the alarm is on while it returns true. */
interface StateRule {
  isOn(): boolean
}

export interface Alarm {
  /** For those that AWS has as well, their section of infra/RUNBOOK.md. */
  name: string
  meaning: string
  rule: MetricRule | StateRule
}

/** The alarms on AWS whose causes exist on one machine (infra/deploy/stacks/alarms.ts), with the same thresholds. */
export const metricAlarms: readonly Alarm[] = [
  {
    name: 'publish-lateness',
    meaning: 'A post was sent to its platform more than a minute late.',
    rule: { metric: 'PublishLatenessMs', threshold: latenessAlarmMs, minutes: 5 },
  },
  {
    name: 'posts-waiting',
    meaning: 'Posts have waited for their platform for more than five minutes. They are published when it responds.',
    rule: { metric: 'PostDelayMs', threshold: delayAlarmMs, minutes: 20 },
  },
  {
    name: 'operator-action-needed',
    meaning: 'A platform refuses your app, for example after its secret expired. Its posts wait up to 24 hours.',
    rule: { metric: 'OperatorActionNeeded', threshold: 1, minutes: 20 },
  },
  {
    name: 'overdue-work',
    meaning: 'Work was resumed for fifteen minutes without success.',
    rule: { metric: 'OverdueWork', threshold: 1, minutes: 20 },
  },
  {
    name: 'platform-api-ends',
    meaning: 'A platform ends the version of its API that this release calls. Install a newer release.',
    rule: { metric: 'ApiEndNotices', threshold: 1, minutes: 20 },
  },
  {
    name: 'unsent-emails',
    meaning: 'Emails were not accepted. Check "smtpUrl" with --check.',
    rule: { metric: 'UnsentEmails', threshold: 1, minutes: 20 },
  },
]

export interface Notice {
  id: string
  subject: string
  text: string
}

const noticeOf = ({ name, meaning }: Alarm, state: 'on' | 'still on' | 'over'): Notice => ({
  id: randomUUID(),
  subject: `Alarm ${state}: ${name}`,
  text: state === 'over' ? `The alarm ${name} is over.` : meaning,
})

const remindAfterMs = dayMs

interface Options {
  now(): number
  /** Sends a notice; one that fails is sent again a minute later. */
  send(notice: Notice): Promise<void>
}

/** Watches alarms: a notice when one begins, each day while it is on, and when it is over. */
export const makeAlarms = (alarms: readonly Alarm[], { now, send }: Options) => {
  const seenAtMs = new Map<Alarm, number>()
  const notifiedAtMs = new Map<Alarm, number>()
  const isOn = (alarm: Alarm): boolean => {
    if ('isOn' in alarm.rule) return alarm.rule.isOn()
    return now() - (seenAtMs.get(alarm) ?? Number.NEGATIVE_INFINITY) < alarm.rule.minutes * minuteMs
  }
  const change = (alarm: Alarm): Parameters<typeof noticeOf>[1] | undefined => {
    const before = notifiedAtMs.get(alarm)
    if (!isOn(alarm)) return before === undefined ? undefined : 'over'
    if (before === undefined) return 'on'
    return now() - before >= remindAfterMs ? 'still on' : undefined
  }
  const look = async (alarm: Alarm): Promise<void> => {
    const state = change(alarm)
    if (state === undefined) return
    await send(noticeOf(alarm, state))
    if (state === 'over') notifiedAtMs.delete(alarm)
    else notifiedAtMs.set(alarm, now())
  }
  return {
    /** Takes a value that a function has measured. */
    see(metric: string, value: number): void {
      for (const alarm of alarms)
        if ('metric' in alarm.rule && alarm.rule.metric === metric && value >= alarm.rule.threshold)
          seenAtMs.set(alarm, now())
    },
    /** To be called each minute. */
    async check(): Promise<void> {
      await Promise.allSettled(alarms.map(look))
    },
  }
}
