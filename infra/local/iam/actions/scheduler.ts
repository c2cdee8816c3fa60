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
  'PUT schedules': 'UpdateSchedule',
  'GET schedules': 'GetSchedule',
  'DELETE schedules': 'DeleteSchedule',
  'POST schedule-groups': 'CreateScheduleGroup',
  'GET schedule-groups': 'GetScheduleGroup',
  'DELETE schedule-groups': 'DeleteScheduleGroup',
  'GET tags': 'ListTagsForResource',
  'POST tags': 'TagResource',
  'DELETE tags': 'UntagResource',
}

const lists: Readonly<Record<string, string>> = { schedules: 'ListSchedules', 'schedule-groups': 'ListScheduleGroups' }

/** Whoever gives a schedule its role passes it on to the Scheduler (user guide, "Setting up the execution role"). */
const passRole = (body: unknown): Access => ({
  action: 'iam:PassRole',
  resource: z.parse(Definition, body).Target.RoleArn,
  context: { 'iam:passedtoservice': ['scheduler.amazonaws.com'] },
})

/** What EventBridge Scheduler asks IAM for. */
export const schedulerAccess: GuardedService = {
  accessesOf({ method, path, query, body }) {
    const [, collection = '', ...rest] = path.split('/')
    const name = decodeURIComponent(rest.join('/'))
    const action = name === '' && method === 'GET' ? lists[collection] : actions[`${method} ${collection}`]
    if (action === undefined) throw new Error(`the local IAM does not know which action ${method} ${path} takes`)
    const asked = (resource: string): Access => ({ action: `scheduler:${action}`, resource })
    if (name === '') return [asked(arnOf(collection === 'schedules' ? 'schedule' : 'schedule-group', '*'))]
    if (collection === 'tags') return [asked(name)]
    if (collection === 'schedule-groups') return [asked(arnOf('schedule-group', name))]
    const isWrite = method === 'POST' || method === 'PUT'
    const group = isWrite ? z.parse(Definition, body).GroupName : (query.get('groupName') ?? 'default')
    const schedule = asked(arnOf('schedule', `${group}/${name}`))
    return isWrite ? [schedule, passRole(body)] : [schedule]
  },
  refuse: refuseAsJson(403),
}
