import { expect, test } from 'vitest'
import { type Alarm, makeAlarms, metricAlarms, type Notice } from '../../serve/alarms.ts'

const minuteMs = 60_000

const watch = (alarms: readonly Alarm[]) => {
  let nowMs = 0
  let fails = false
  const notices: string[] = []
  const send = async ({ subject }: Notice) => {
    if (fails) throw new Error('no SMTP server')
    notices.push(subject)
  }
  const { see, check } = makeAlarms(alarms, { now: () => nowMs, send })
  return {
    notices,
    see,
    setFails: (value: boolean) => {
      fails = value
    },
    /** Lets time pass, a look each minute. */
    async pass(minutes: number) {
      for (let n = 0; n < minutes; n += 1) {
        nowMs += minuteMs
        await check()
      }
    },
  }
}

test('an alarm notifies when it begins, each day, and when it is over', async () => {
  const { notices, see, pass } = watch(metricAlarms)
  see('PublishLatenessMs', 59_999)
  await pass(3)
  expect(notices).toEqual([])
  see('PublishLatenessMs', 60_000)
  await pass(4)
  expect(notices).toEqual(['Alarm on: publish-lateness'])
  await pass(2)
  expect(notices.slice(1)).toEqual(['Alarm over: publish-lateness'])
})

test('a state that lasts notifies again after a day, and a notice that cannot be sent is sent later', async () => {
  let isLow = true
  const disk = { name: 'disk-space', meaning: 'Less than a tenth of the disk is free.', rule: { isOn: () => isLow } }
  const { notices, pass, setFails } = watch([disk])
  setFails(true)
  await pass(2)
  setFails(false)
  await pass(1)
  expect(notices).toEqual(['Alarm on: disk-space'])
  await pass(24 * 60)
  expect(notices.slice(1)).toEqual(['Alarm still on: disk-space'])
  isLow = false
  await pass(1)
  expect(notices.slice(2)).toEqual(['Alarm over: disk-space'])
})
