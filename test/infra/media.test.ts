import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { startMediaHost } from '../../infra/local/media-host.ts'
import { startEngine } from '../../infra/local/test/engines/buckets/start.ts'
import { foldersOf, incomingFilesOf } from '../../shared/media/reference.ts'
import { read, settings, synthesize } from './synth.ts'

const { data, ops } = synthesize()

const Statement = z.looseObject({ Effect: z.string(), Action: z.unknown(), Principal: z.unknown() })
const Policy = z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })

test('uncompleted uploads and parts of aborted copies expire after a day', () => {
  const shape = z.object({ LifecycleConfiguration: z.optional(z.object({ Rules: z.array(z.looseObject({})) })) })
  const rules = read(data, 'AWS::S3::Bucket', shape).flatMap((bucket) => bucket.LifecycleConfiguration?.Rules ?? [])
  expect(rules.filter(({ Prefix }) => Prefix === 'incoming/')).toEqual([
    {
      Prefix: 'incoming/',
      ExpirationInDays: 1,
      Status: 'Enabled',
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
    },
  ])
  expect(rules).toContainEqual({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 }, Status: 'Enabled' })
  expect(incomingFilesOf('ws_1')).toBe('incoming/ws_1/')
})

test('a deleted file can be brought back for seven days, and is gone then', () => {
  const shape = z.object({
    VersioningConfiguration: z.optional(z.object({ Status: z.string() })),
    LifecycleConfiguration: z.optional(z.object({ Rules: z.array(z.looseObject({})) })),
  })
  const [media, ...others] = read(data, 'AWS::S3::Bucket', shape).filter(
    ({ VersioningConfiguration }) => VersioningConfiguration?.Status === 'Enabled',
  )
  expect(others).toEqual([])
  const everywhere = media?.LifecycleConfiguration?.Rules.filter(({ Prefix }) => Prefix === undefined)
  expect(everywhere).toMatchObject([
    { NoncurrentVersionExpiration: { NoncurrentDays: 7 }, ExpiredObjectDeleteMarker: true, Status: 'Enabled' },
  ])
})

test('a daily backup of the table and the files is copied to the vault of another account', () => {
  const { backupVaultArn, ...without } = settings
  const planned = z.object({ BackupPlan: z.object({ BackupPlanRule: z.array(z.looseObject({})) }) })
  const [plan] = read(ops, 'AWS::Backup::BackupPlan', planned)
  expect(plan?.BackupPlan.BackupPlanRule).toMatchObject([
    { CopyActions: [{ DestinationBackupVaultArn: backupVaultArn, Lifecycle: { DeleteAfterDays: 35 } }] },
  ])
  const selected = z.object({ BackupSelection: z.object({ Resources: z.array(z.unknown()) }) })
  const [selection] = read(ops, 'AWS::Backup::BackupSelection', selected)
  expect(selection?.BackupSelection.Resources).toHaveLength(2)
  const types = Object.values(synthesize(without).ops).map(({ Type }) => Type)
  expect(types.filter((type) => type.startsWith('AWS::Backup'))).toEqual([])
})

test('CloudFront serves only objects below media/', () => {
  const statements = read(data, 'AWS::S3::BucketPolicy', Policy).flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  )
  const denied = statements.filter(
    ({ Effect, Principal }) => Effect === 'Deny' && JSON.stringify(Principal).includes('cloudfront.amazonaws.com'),
  )
  expect(denied).toMatchObject([
    { Action: 's3:GetObject', NotResource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': expect.anything() }, '/media/*']] } },
  ])
  expect(denied[0]).not.toHaveProperty('Condition')
  expect(foldersOf('ws_1').filter((folder) => !folder.startsWith('media/'))).toEqual(['incoming/ws_1/'])
})

const Headers = z.object({
  ResponseHeadersPolicyConfig: z.object({
    CorsConfig: z.object({
      AccessControlAllowCredentials: z.literal(false),
      AccessControlAllowOrigins: z.object({ Items: z.array(z.string()) }),
      OriginOverride: z.literal(true),
    }),
    SecurityHeadersConfig: z.object({
      ContentSecurityPolicy: z.object({ ContentSecurityPolicy: z.string(), Override: z.literal(true) }),
      ContentTypeOptions: z.object({ Override: z.literal(true) }),
      FrameOptions: z.object({ FrameOption: z.string(), Override: z.literal(true) }),
      StrictTransportSecurity: z.object({
        AccessControlMaxAgeSec: z.number(),
        IncludeSubdomains: z.literal(true),
        Override: z.literal(true),
      }),
    }),
  }),
})

test('the local media host adds the same headers as CloudFront, and no others', async () => {
  const [policy] = read(data, 'AWS::CloudFront::ResponseHeadersPolicy', Headers)
  if (policy === undefined) throw new Error('the template has no policy of headers')
  const { SecurityHeadersConfig: config, CorsConfig: cors } = policy.ResponseHeadersPolicyConfig
  const { buckets } = await startEngine()
  buckets.create('bucket')
  const host = await startMediaHost({ buckets, bucket: 'bucket' })
  const answer = await fetch(`${host.url}/media/nothing`)
  await Promise.all([host.close(), buckets.close()])
  const ofHttp = ['connection', 'date', 'keep-alive', 'content-length', 'transfer-encoding']
  expect(Object.fromEntries([...answer.headers].filter(([name]) => !ofHttp.includes(name)))).toEqual({
    'access-control-allow-origin': cors.AccessControlAllowOrigins.Items.join(),
    'content-security-policy': config.ContentSecurityPolicy.ContentSecurityPolicy,
    'x-content-type-options': 'nosniff',
    'x-frame-options': config.FrameOptions.FrameOption,
    'strict-transport-security': `max-age=${config.StrictTransportSecurity.AccessControlMaxAgeSec}; includeSubDomains`,
  })
})
