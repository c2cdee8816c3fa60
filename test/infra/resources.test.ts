import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { guide, withOutput } from '../../infra/guide-block.ts'
import { resourceList } from '../../infra/resources.ts'

test('the guide lists the resources of a stage as its command prints them, each type with a reason', () => {
  const text = readFileSync(guide, 'utf8')
  // If this fails: node infra/resources.ts --write
  expect(text).toBe(withOutput(text, 'infra/resources.ts', resourceList()))
})
