import { commit } from '../../commit/commit.ts'
import type { Context } from '../../context.ts'
import { conditionFailed } from '../../db/condition-failed.ts'
import { ulid } from '../../ids.ts'
import type { Workspace } from '../../workspaces/workspace.ts'
import { budgetExceeded, budgetWrite, reservationOf, reserve } from '../budget/charge.ts'
import type { AiKind } from '../budget/usage.ts'
import type { AiJob } from './job.ts'
import type { Task } from './task.ts'
import { type AiJobView, viewJob } from './view.ts'
import { jobWork } from './work.ts'

const kindOf: Readonly<Record<Task['type'], AiKind>> = { generate: 'text', transcribe: 'speech' }

export const newJobId = (ctx: Context): string => `aij_${ulid(ctx.clock.now())}`

/** Who starts a job, and its maximum cost. */
interface Start {
  id: string
  userId: string
  reservedMicroUsd: number
}

/** Accepts a job: reserves its maximum cost, and enqueues it. */
export const startJob = async (
  ctx: Context,
  workspace: Workspace,
  { id, userId, reservedMicroUsd }: Start,
  task: Task,
): Promise<AiJobView> => {
  const now = ctx.clock.now()
  const reservation = reservationOf(ctx, workspace, kindOf[task.type], reservedMicroUsd)
  const job: AiJob = {
    id,
    userId,
    ...reservation,
    job: task.type,
    status: 'queued',
    attempts: 0,
    task: JSON.stringify(task),
    createdAt: new Date(now).toISOString(),
  }
  const response = viewJob(job)
  try {
    await commit(ctx, workspace, {
      writes: [...reserve(ctx, workspace, reservation), jobWork.beginWrite(job, now)],
      response: { data: response, id },
    })
  } catch (error) {
    throw conditionFailed(error, budgetWrite) ? await budgetExceeded(ctx, workspace, reservation.month) : error
  }
  await jobWork.enqueue(ctx, job)
  return response
}
