import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { functionsOf, read, settings, synthesize, synthesizeStacks, testApp } from './synth.ts'

const traced = { ...settings, tracing: 0.05 }

const Stage = z.object({ TracingEnabled: z.optional(z.boolean()) })
const Traced = z.object({ TracingConfig: z.optional(z.object({ Mode: z.string() })) })
const mode = (app: ReturnType<typeof synthesize>['app']) =>
  new Set(read(app, 'AWS::Lambda::Function', Traced).map(({ TracingConfig }) => TracingConfig?.Mode))

/** How many roles may send traces. */
const senders = (app: ReturnType<typeof synthesize>['app']) =>
  Object.values(app).filter(
    ({ Type, Properties }) => Type === 'AWS::IAM::Role' && JSON.stringify(Properties).includes('xray:PutTraceSegments'),
  ).length

test('nothing is traced, and no function may send traces, unless the deployment says so', () => {
  const { app } = synthesize()
  expect([mode(app), senders(app)]).toEqual([new Set([undefined]), 0])
  expect(read(app, 'AWS::ApiGateway::Stage', Stage).map(({ TracingEnabled }) => TracingEnabled)).toEqual([false])
  expect(read(app, 'AWS::XRay::SamplingRule', z.unknown())).toEqual([])
  expect(JSON.stringify(synthesizeStacks().map(({ exceptions }) => exceptions))).toContain('CKV_AWS_73')
})

test('a share of the calls is traced, through every function', () => {
  const { app } = synthesize(traced)
  expect([mode(app), senders(app)]).toEqual([new Set(['Active']), functionsOf(app).size])
  expect(read(app, 'AWS::ApiGateway::Stage', Stage).map(({ TracingEnabled }) => TracingEnabled)).toEqual([true])
  expect(read(app, 'AWS::XRay::SamplingRule', z.object({ SamplingRule: z.looseObject({}) }))).toMatchObject([
    { SamplingRule: { FixedRate: 0.05, ReservoirSize: 0, HTTPMethod: '*' } },
  ])
  const stacks = synthesizeStacks({ context: traced })
  expect(JSON.stringify(stacks.map(({ exceptions }) => exceptions))).not.toContain('CKV_AWS_73')
  for (const tracing of [0, 1.1, 'on']) expect(() => testApp({ ...settings, tracing })).toThrow(/tracing/)
})
