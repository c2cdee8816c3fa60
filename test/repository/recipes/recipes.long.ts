import { expect, test } from 'vitest'
import { endpointRecipe } from './endpoint.ts'
import { platformRecipe } from './platform.ts'
import { follow } from './recipe.ts'

test.each([
  ['an endpoint', endpointRecipe, 4],
  ['a platform', platformRecipe, 4],
])('%s needs the files that its recipe names, and no others', { timeout: 900_000 }, async (_name, recipe, max) => {
  const { complaints, changed } = await follow(recipe)
  expect(complaints).toEqual([])
  expect(changed.sort()).toEqual([...Object.keys(recipe.edits), ...recipe.generated].sort())
  expect(Object.keys(recipe.edits).length).toBeLessThanOrEqual(max)
})
