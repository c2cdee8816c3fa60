import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Variable } from '../../../shared/resources.ts'
import type { Blueprint } from '../template.ts'
import type { Closing } from './closing.ts'
import { shortName } from './functions.ts'

const variable: Variable = 'FILES_FOLDER'

/** When deployed, they are next to each bundle that reads them, with the same content; this one has them all. */
export const filesBesideBundle = (bundles: string, { functions }: Blueprint): string => {
  const reader = functions.find(
    ({ name, environment }) => environment[variable] !== undefined && shortName(name) === 'meta-docs-viewer',
  )
  return reader === undefined ? bundles : join(bundles, shortName(reader.name))
}

/** Makes the files that routes serve as they are, for as long as the service runs. */
export const makeFiles = async (closing: Closing): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'social-files-'))
  closing.add(() => rm(folder, { recursive: true }))
  const { writeFiles } = await import('../../openapi.ts')
  await writeFiles(folder)
  return folder
}
