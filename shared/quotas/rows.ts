import type { OwnedRows } from '../db/owned-rows.ts'
import { workspaceWindowKeys } from './count.ts'

export const quotaRows: OwnedRows = { keys: workspaceWindowKeys }
