import { expect, test } from 'vitest'
import { faultsOfResource } from './resource-spec/check.ts'
import { settings, synthesizeStacks } from './synth.ts'

test('every resource has only properties, types, and values that CloudFormation accepts', () => {
  const resources = synthesizeStacks({ context: { ...settings, canary: 'on' } }).flatMap(({ Resources }) =>
    Object.entries(Resources),
  )
  expect(resources.length).toBeGreaterThan(450)
  expect(
    resources.flatMap(([id, { Type, Properties }]) =>
      faultsOfResource(Type, Properties).map((fault) => `${id}: ${fault}`),
    ),
  ).toEqual([])
})

const fn = { Code: { ZipFile: 'x' }, Role: { 'Fn::GetAtt': ['role', 'Arn'] } }

test.each([
  ['AWS::Lambda::Functions', fn, 'AWS::Lambda::Functions does not exist'],
  ['AWS::Lambda::Function', { Code: fn.Code }, 'AWS::Lambda::Function.Role is required'],
  ['AWS::Lambda::Function', { ...fn, Memory: 512 }, 'AWS::Lambda::Function.Memory does not exist'],
  ['AWS::Lambda::Function', { ...fn, MemorySize: '512' }, 'AWS::Lambda::Function.MemorySize is "512", not an integer'],
  [
    'AWS::Lambda::Function',
    { ...fn, Environment: { Variable: {} } },
    'AWS::Lambda::Function.Environment.Variable does not exist',
  ],
  [
    'AWS::Lambda::Function',
    { ...fn, Architectures: 'arm64' },
    'AWS::Lambda::Function.Architectures is "arm64", not a list',
  ],
])('rejects %s with %j', (type, properties, fault) => {
  expect(faultsOfResource(type, properties)).toEqual([fault])
})
