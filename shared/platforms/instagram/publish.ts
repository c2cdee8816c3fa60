import * as z from 'zod/mini'
import { minuteMs } from '../../time.ts'
import type { PlatformCall, Prepared, PreparedRef, ProbeResult, UnsettledAttempt } from '../adapter.ts'
import { containerStates, prepareContainers } from '../graph/containers.ts'
import { type Publishing, probeContainer, publishContainer } from '../graph/publish.ts'
import type { PublishedPost } from '../post.ts'
import { mayPass } from './errors.ts'
import { planOf } from './plan.ts'
import { tellQuota } from './quota.ts'
import { site } from './site.ts'

const containers: Publishing = {
  site,
  path: '/{user}/media',
  publishPath: '/{user}/media_publish',
  listPath: ({ format }) => (format === 'story' ? '/{user}/stories' : '/{user}/media'),
  textField: 'caption',
  statusFields: 'status_code,status',
  status: z.pipe(
    z.object({ status_code: z.enum(containerStates), status: z.optional(z.string()) }),
    z.transform(({ status_code: state, status: words = '' }) => ({ state, words })),
  ),
  mayPass,
  patienceMs: 30 * minuteMs,
}

const explained = async <T>(call: PlatformCall, run: () => Promise<T>): Promise<T> => {
  try {
    return await run()
  } catch (error) {
    throw await tellQuota(call, error)
  }
}

/** Containers made and waited for; nothing of it is public. */
export const prepare = (call: PlatformCall, resume: PreparedRef | undefined): Promise<Prepared> =>
  explained(call, () => prepareContainers(containers, call, planOf(call.ctx, call.post), resume))

export const commit = (call: PlatformCall, ref: PreparedRef): Promise<PublishedPost> =>
  explained(call, () => publishContainer(containers, call, ref))

export const probe = (call: PlatformCall, attempt: UnsettledAttempt): Promise<ProbeResult> =>
  probeContainer(containers, call, attempt)
