import {
  CreateTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { ConflictException, CreateScheduleGroupCommand, type SchedulerClient } from '@aws-sdk/client-scheduler'
import type { TablePlan } from '../template/stores.ts'
import type { Blueprint } from '../template.ts'
import type { Engines } from './engines.ts'

// Every function here leaves the result of an earlier run unchanged, or updates it.

const createTable = async (dynamodb: DynamoDBClient, plan: TablePlan): Promise<void> => {
  const { TimeToLiveSpecification, ...table } = plan
  try {
    await dynamodb.send(new CreateTableCommand({ ...table, BillingMode: 'PAY_PER_REQUEST' }))
  } catch (error) {
    if (error instanceof ResourceInUseException) return
    throw error
  }
  const { TableName } = plan
  if (TimeToLiveSpecification) await dynamodb.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
}

const createScheduleGroup = async (scheduler: SchedulerClient, Name: string): Promise<void> => {
  await scheduler.send(new CreateScheduleGroupCommand({ Name })).catch((error: unknown) => {
    if (!(error instanceof ConflictException)) throw error
  })
}

/** Creates the resources that the templates declare and an engine stores. */
export const provision = async (blueprint: Blueprint, { clients, queues, buckets, bus }: Engines): Promise<void> => {
  await Promise.all([
    ...blueprint.tables.map((plan) => createTable(clients.dynamodb, plan)),
    ...blueprint.scheduleGroups.map((name) => createScheduleGroup(clients.scheduler, name)),
  ])
  queues.provision(blueprint.queues)
  for (const { name, cors } of blueprint.buckets) buckets.create(name, cors)
  for (const name of blueprint.buses) bus.create(name)
}
