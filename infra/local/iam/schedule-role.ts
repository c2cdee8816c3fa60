import * as z from 'zod/mini'
import type { Principal } from './access.ts'
import { arnOf, schedulerAccess } from './actions/scheduler.ts'
import type { Authority } from './authority.ts'
import { type Guard, guardOf, refuseAsJson } from './guard.ts'

const service = 'scheduler.amazonaws.com'

/** The role of a schedule as the Scheduler assumes it: on behalf of the schedule's group (user guide, "Confused deputy"). */
export const assumeForSchedule = (authority: Authority, roleArn: string, scheduleArn: string): Principal => {
  const [group = '', name = ''] = scheduleArn.split('/').slice(1)
  const groupArn = `${scheduleArn.split(':schedule/')[0]}:schedule-group/${group}`
  return authority.assume(roleArn, name, service, groupArn)
}

const Definition = z.object({ GroupName: z._default(z.string(), 'default'), Target: z.object({ RoleArn: z.string() }) })

/** The guard of the Scheduler: a schedule is accepted only with a role that the Scheduler can assume. */
export const schedulerGuard = (authority: Authority): Guard => {
  const guard = guardOf(authority, schedulerAccess)
  return (request) => {
    const refused = guard(request)
    const isWrite = request.path.startsWith('/schedules/') && ['POST', 'PUT'].includes(request.method)
    if (refused !== undefined || !isWrite) return refused
    const { GroupName, Target } = z.parse(Definition, request.body)
    try {
      assumeForSchedule(authority, Target.RoleArn, arnOf('schedule', `${GroupName}/new`))
      return undefined
    } catch {
      return refuseAsJson(400)(
        'ValidationException',
        'The execution role you provide must allow AWS EventBridge Scheduler to assume the role.',
      )
    }
  }
}
