import type { OwnedRows } from '../db/owned-rows.ts'
import { exports, exportsOf } from './export.ts'
import { downloadLinks } from './link.ts'
import { exportWork } from './work.ts'

export const exportRows: OwnedRows = {
  parents: (workspaceId) => [exportsOf(workspaceId)],
  children: {
    async *Export(_ctx, _workspaceId, row) {
      const { linkHash } = exports.parse(row)
      if (linkHash !== undefined) yield [downloadLinks.key({ tokenHash: linkHash })]
    },
  },
}

export const exportSweepRules = [exportWork.sweepRule]
