import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { resourceList } from '../../infra/commands/resources.ts'
import { guide, withOutput } from '../../infra/deploy/guide-block.ts'

test('the guide lists the resources of a stage as its command prints them, each type with a reason', () => {
  const text = readFileSync(guide, 'utf8')
  // If this fails: node infra/commands/resources.ts --write
  expect(text).toBe(withOutput(text, 'infra/commands/resources.ts', resourceList()))
})
