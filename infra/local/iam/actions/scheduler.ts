import * as z from 'zod/mini'
import { accountId, region } from '../../template/account.ts'
import type { Access } from '../access.ts'
import { type GuardedService, refuseAsJson } from '../guard.ts'

const Definition = z.object({
  GroupName: z._default(z.string(), 'default'),
  Target: z.object({ RoleArn: z.string() }),
})

export const arnOf = (kind: 'schedule' | 'schedule-group', name: string): string =>
  `arn:aws:scheduler:${region}:${accountId}:${kind}/${name}`

const actions: Readonly<Record<string, string>> = {
  'POST schedules': 'CreateSchedule',
  'GET schedules': 'GetSchedule',
  'DELETE schedules': 'DeleteSchedule',
  'POST schedule-groups': 'CreateScheduleGroup',
}

/** A caller that gives a schedule its role passes it on to the Scheduler (user guide, "Setting up the execution role"). */
const passRole = (body: unknown): Access => ({
  action: 'iam:PassRole',
  resource: z.parse(Definition, body).Target.RoleArn,
  context: { 'iam:passedtoservice': ['scheduler.amazonaws.com'] },
})

/** What EventBridge Scheduler asks IAM for. */
export const schedulerAccess: GuardedService = {
  accessesOf({ method, path, query, body }) {
    const [, collection, encodedName] = /^\/([^/]+)\/([^/]+)$/.exec(path) ?? []
    const action = actions[`${method} ${collection}`]
    if (action === undefined || encodedName === undefined) {
      throw new Error(`the local IAM does not know which action ${method} ${path} takes`)
    }
    const name = decodeURIComponent(encodedName)
    const accessTo = (resource: string): Access => ({ action: `scheduler:${action}`, resource })
    if (collection === 'schedule-groups') return [accessTo(arnOf('schedule-group', name))]
    const isWrite = method === 'POST'
    const group = isWrite ? z.parse(Definition, body).GroupName : (query.get('groupName') ?? 'default')
    const schedule = accessTo(arnOf('schedule', `${group}/${name}`))
    return isWrite ? [schedule, passRole(body)] : [schedule]
  },
  refuse: refuseAsJson(403),
}
