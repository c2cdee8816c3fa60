import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { random62 } from '../../../shared/ids.ts'
import { openStateFile } from '../engines/state-file.ts'
import { region } from '../template/account.ts'

const Kept = z.object({ accessKeyId: z.string() })

/**
 * The access key id of this folder, drawn once. DynamoDB Local listens on every address of the machine and checks no
 * signature, but shows each access key id tables of its own: who does not know this one sees none of ours.
 */
export const keptAccessKey = (folder: string | undefined): string => {
  const file = openStateFile(folder && join(folder, 'access-key.json'), Kept, { accessKeyId: random62(20) })
  file.save()
  return file.value.accessKeyId
}

/** The file in which earlier versions kept one set of tables for everybody. */
const shared = 'shared-local-instance.db'

/** Gives the tables of an earlier version to an access key id (DynamoDB Local's usage notes: `<key>_<region>.db`). */
export const adoptSharedTables = (folder: string, accessKeyId: string): void => {
  const own = join(folder, `${accessKeyId}_${region}.db`)
  if (existsSync(join(folder, shared)) && !existsSync(own)) renameSync(join(folder, shared), own)
}
