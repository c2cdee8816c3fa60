import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  EventBridgeClient,
  ListRulesCommand,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from '@aws-sdk/client-eventbridge'
import { expect, onTestFinished, test } from 'vitest'
import { startBus } from '../../engines/bus.ts'

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
const clock = { now: () => Date.UTC(2030, 0, 1) + 999 }

async function start(folder?: string) {
  const bus = await startBus({ clock, ...(folder && { folder }) })
  bus.create('ours')
  const client = new EventBridgeClient({ region: 'us-east-1', endpoint: bus.url, credentials, maxAttempts: 1 })
  onTestFinished(() => {
    client.destroy()
    return bus.close()
  })
  const put = (...Entries: PutEventsRequestEntry[]) => client.send(new PutEventsCommand({ Entries }))
  const taken = () => bus.events().map(({ detail }) => detail['n'])
  return { bus, client, put, taken }
}

const entry = (n: number, over: PutEventsRequestEntry = {}): PutEventsRequestEntry => ({
  EventBusName: 'ours',
  Source: 'tests',
  DetailType: 'something.happened',
  Detail: JSON.stringify({ n }),
  ...over,
})

test('an event is on its bus as a target receives it', async () => {
  const { bus, put } = await start()
  const Time = new Date('2029-12-31T23:59:58.700Z')
  const answer = await put(entry(1, { Time, Resources: ['arn:of:it'] }), entry(2))
  expect(answer.FailedEntryCount).toBe(0)
  const ids = answer.Entries?.map(({ EventId }) => EventId)
  expect(new Set(ids).size).toBe(2)
  expect(bus.events()).toEqual([
    {
      version: '0',
      id: ids?.[0],
      'detail-type': 'something.happened',
      source: 'tests',
      account: '000000000000',
      time: '2029-12-31T23:59:58Z',
      region: 'us-east-1',
      resources: ['arn:of:it'],
      detail: { n: 1 },
      bus: 'ours',
    },
    expect.objectContaining({ time: '2030-01-01T00:00:00Z', resources: [], detail: { n: 2 } }),
  ])
})

test('a bus can be named by its ARN; without a name, the default bus is used', async () => {
  const { bus, put } = await start()
  const { EventBusName: _, ...unnamed } = entry(1)
  await put(unnamed, entry(2, { EventBusName: 'arn:aws:events:us-east-1:000000000000:event-bus/ours' }))
  expect(bus.events().map((event) => event.bus)).toEqual(['default', 'ours'])
})

test.each<[string, PutEventsRequestEntry, string]>([
  ['no source', { Source: undefined }, 'InvalidArgument'],
  ['an empty detail type', { DetailType: '' }, 'InvalidArgument'],
  ['no detail', { Detail: undefined }, 'InvalidArgument'],
  ['a detail that is not JSON', { Detail: '{' }, 'MalformedDetail'],
  ['a detail that is a list', { Detail: '[1]' }, 'MalformedDetail'],
  ['the source of another', { Source: 'aws.ec2' }, 'NotAuthorizedForSource'],
  ['a bus that is not there', { EventBusName: 'theirs' }, 'ResourceNotFound'],
])('rejects only the entry with %s', async (_, over, ErrorCode) => {
  const { put, taken } = await start()
  const answer = await put(entry(1), entry(2, over), entry(3))
  expect(answer.FailedEntryCount).toBe(1)
  expect(answer.Entries).toEqual([
    { EventId: expect.any(String) },
    { ErrorCode, ErrorMessage: expect.stringMatching(/\.$/) },
    { EventId: expect.any(String) },
  ])
  expect(taken()).toEqual([1, 3])
})

test('a request takes one to ten entries', async () => {
  const { put, taken } = await start()
  const ten = Array.from({ length: 10 }, (_, n) => entry(n))
  await put(...ten)
  expect(taken()).toHaveLength(10)
  await expect(put(...ten, entry(10))).rejects.toMatchObject({ name: 'ValidationException' })
  await expect(put()).rejects.toMatchObject({ name: 'ValidationException' })
  expect(taken()).toHaveLength(10)
})

test('a request takes less than 1 MB in all, counted as EventBridge counts', async () => {
  const { put, taken } = await start()
  const around = 'tests'.length + 'something.happened'.length + '{"n":""}'.length
  // Each sign is two bytes.
  const weighing = (bytes: number) => entry(0, { Detail: JSON.stringify({ n: 'é'.repeat((bytes - around) / 2) }) })
  const half = 524_288
  await expect(put(weighing(half - 1), weighing(half + 1))).rejects.toThrow(/over the limit/)
  await expect(put(weighing(half - 1), entry(0, { Time: new Date() }), weighing(half - 33))).rejects.toThrow(/limit/)
  expect(taken()).toEqual([])
  await put(weighing(half - 1), weighing(half - 1))
  expect(taken()).toHaveLength(2)
})

test('fails on request, for one entry or for all', async () => {
  const { bus, put, taken } = await start()
  bus.faults.onEntry = (detailType) => (detailType === 'second' ? 'ThrottlingException' : undefined)
  const answer = await put(entry(1), entry(2, { DetailType: 'second' }))
  expect(answer).toMatchObject({ FailedEntryCount: 1, Entries: [{}, { ErrorCode: 'ThrottlingException' }] })
  bus.faults.down = true
  await expect(put(entry(3))).rejects.toMatchObject({ name: 'InternalException' })
  bus.faults.down = false
  bus.faults.onEntry = undefined
  await put(entry(4))
  expect(taken()).toEqual([1, 4])
})

test('rejects unsupported features of EventBridge', async () => {
  const { client } = await start()
  await expect(client.send(new ListRulesCommand({}))).rejects.toMatchObject({ name: 'UnknownOperationException' })
})

test('events survive a restart, and the error names a corrupt file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bus-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const before = await start(folder)
  await before.put(entry(1), entry(2))
  await before.bus.close()
  const after = await start(folder)
  expect(after.bus.events()).toEqual(before.bus.events())
  expect(after.taken()).toEqual([1, 2])
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'bus.sqlite'), 'this is no database')
  await expect(startBus({ clock, folder: other })).rejects.toThrow(join(other, 'bus.sqlite'))
})
