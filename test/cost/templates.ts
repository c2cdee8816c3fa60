import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TemplateResource } from '../../infra/deploy/cost/idle.ts'
import { synthesizeOnce } from '../support/assembly.ts'

/** The resources of all stacks of a stage with the default settings. */
export const readResources = async (): Promise<TemplateResource[]> => {
  const folder = join(await synthesizeOnce(), 'assembly')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.template.json'))
    .flatMap((name) => Object.values(JSON.parse(readFileSync(join(folder, name), 'utf8')).Resources ?? {}))
}
