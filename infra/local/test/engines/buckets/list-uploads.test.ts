import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
} from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestBucket, type TestBucket } from './start.ts'

let testBucket: TestBucket
beforeAll(async () => {
  testBucket = await startTestBucket()
})
afterAll(() => testBucket.close())

const begin = async (Key: string) => {
  const { UploadId = '' } = await testBucket.client.send(
    new CreateMultipartUploadCommand({ Bucket: testBucket.bucket, Key }),
  )
  return UploadId
}

const list = (more: { Prefix?: string; MaxUploads?: number; KeyMarker?: string; UploadIdMarker?: string } = {}) =>
  testBucket.client.send(new ListMultipartUploadsCommand({ Bucket: testBucket.bucket, ...more }))

test('uploads in progress are listed below their prefix, by key, page by page, until they end', async () => {
  expect((await list()).Uploads ?? []).toEqual([])
  const [b, a, other] = [await begin('exports/b'), await begin('exports/a'), await begin('exports-other/a')]
  const all = await list({ Prefix: 'exports/' })
  expect(all.Uploads?.map(({ Key, UploadId }) => [Key, UploadId])).toEqual([
    ['exports/a', a],
    ['exports/b', b],
  ])
  expect(all).toMatchObject({ IsTruncated: false, Prefix: 'exports/', MaxUploads: 1000 })
  const first = await list({ Prefix: 'exports/', MaxUploads: 1 })
  expect(first).toMatchObject({ IsTruncated: true, NextKeyMarker: 'exports/a', NextUploadIdMarker: a })
  const { NextKeyMarker: KeyMarker = '', NextUploadIdMarker: UploadIdMarker = '' } = first
  const second = await list({ Prefix: 'exports/', MaxUploads: 1, KeyMarker, UploadIdMarker })
  expect(second).toMatchObject({ IsTruncated: false, Uploads: [{ Key: 'exports/b', UploadId: b }] })
  await testBucket.client.send(
    new AbortMultipartUploadCommand({ Bucket: testBucket.bucket, Key: 'exports-other/a', UploadId: other }),
  )
  expect((await list()).Uploads?.length).toBe(2)
})
