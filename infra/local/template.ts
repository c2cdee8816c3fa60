import { type ApiPlan, apiPlan } from './template/api.ts'
import { findIn } from './template/declared.ts'
import {
  type ClockPlan,
  clockPlans,
  type FunctionPlan,
  functionPlans,
  type MappingPlan,
  mappingPlans,
} from './template/functions.ts'
import { makeResolver } from './template/resolve.ts'
import { oncePerStacks } from './template/stack.ts'
import {
  type BucketPlan,
  bucketPlans,
  type QueuePlan,
  queuePlans,
  type TablePlan,
  tablePlans,
} from './template/stores.ts'

/** Everything in the synthesized templates that has a local part. */
export interface Blueprint {
  api: ApiPlan
  functions: readonly FunctionPlan[]
  mappings: readonly MappingPlan[]
  clocks: readonly ClockPlan[]
  tables: readonly TablePlan[]
  queues: readonly QueuePlan[]
  buckets: readonly BucketPlan[]
  scheduleGroups: readonly string[]
  buses: readonly string[]
}

/** Reads the stacks of an app as plans for the local service. */
export const drawBlueprint = oncePerStacks((stacks): Blueprint => {
  const find = findIn(stacks, makeResolver(stacks))
  return {
    api: apiPlan(find),
    functions: functionPlans(find),
    mappings: mappingPlans(find),
    clocks: clockPlans(find),
    tables: tablePlans(find),
    queues: queuePlans(find),
    buckets: bucketPlans(find),
    scheduleGroups: find('AWS::Scheduler::ScheduleGroup').map(({ name }) => name),
    buses: find('AWS::Events::EventBus').map(({ name }) => name),
  }
})
