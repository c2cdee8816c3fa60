import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Closing } from './closing.ts'

/** All files that routes serve (infra/deploy/bundle.ts). When deployed, each function has only those that it reads. */
export const filesBesideBundles = (bundles: string): string => join(bundles, 'files')

/** Creates the files that routes serve unchanged, for as long as the service runs. */
export const makeFiles = async (closing: Closing): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'social-files-'))
  closing.add(() => rm(folder, { recursive: true }))
  const { writeFiles } = await import('../../openapi/files.ts')
  await writeFiles(folder)
  return folder
}
