import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { workerTable } from '../../functions/routes.ts'
import { derivedFilesOf } from '../../shared/media/reference.ts'
import { physical, read, synthesize } from './synth.ts'

const { app, data } = synthesize()

const Layered = z.object({ FunctionName: z.string(), Layers: z._default(z.array(z.object({ Ref: z.string() })), []) })
const Layer = z.object({
  logicalId: z.string(),
  LayerName: z.string(),
  CompatibleArchitectures: z.array(z.string()),
  CompatibleRuntimes: z.array(z.string()),
})

test('only the workers that convert images have the library as a layer, for their platform', () => {
  const layers = read(app, 'AWS::Lambda::LayerVersion', Layer)
  expect(layers).toMatchObject([
    { LayerName: physical('sharp'), CompatibleArchitectures: ['arm64'], CompatibleRuntimes: ['nodejs24.x'] },
  ])
  const layered = read(app, 'AWS::Lambda::Function', Layered).filter(({ Layers }) => Layers.length > 0)
  expect(layered.map(({ FunctionName }) => FunctionName).sort()).toEqual([
    physical('make-preview'),
    physical('prepare-post'),
  ])
  for (const { Layers } of layered) expect(Layers).toEqual([{ Ref: layers[0]?.logicalId }])
  const converting = workerTable.filter(({ worker: { definition } }) => 'layers' in definition && definition.layers)
  expect(converting.map(({ name }) => physical(name)).sort()).toEqual(
    layered.map(({ FunctionName }) => FunctionName).sort(),
  )
})

test('converted files expire, uploads do not', () => {
  const shape = z.object({ LifecycleConfiguration: z.optional(z.object({ Rules: z.array(z.looseObject({})) })) })
  const rules = read(data, 'AWS::S3::Bucket', shape).flatMap(
    ({ LifecycleConfiguration }) => LifecycleConfiguration?.Rules ?? [],
  )
  const expiring = rules.filter((rule) => String(rule['Prefix'] ?? '').startsWith('media/'))
  expect(expiring).toEqual([
    {
      Prefix: 'media/derived/',
      ExpirationInDays: 7,
      NoncurrentVersionExpiration: { NoncurrentDays: 1 },
      Status: 'Enabled',
    },
  ])
  expect(derivedFilesOf('ws_1')).toBe('media/derived/ws_1/')
})
