import type { ErrorEntries } from '../reason.ts'

/** Exports of workspaces. */
export const dataErrors = {
  export_in_progress: {
    reason: 'conflict',
    message: 'An export of this workspace is running. Wait until it has ended.',
    meaning: 'An export of the workspace, which `exportId` names, has not ended yet.',
    fix: 'Wait until it has ended; GET /api/workspaces/{id}/export/{exportId} shows its progress.',
  },
  export_not_found: {
    reason: 'missing',
    message: 'This workspace has no export exp_01KAJ2R8X0Z2B4D6F8H0K2M4N6.',
    meaning: 'The workspace has no export with this id, or it is no longer listed.',
    fix: 'Use an id from GET /api/workspaces/{id}/exports.',
  },
  export_not_ready: {
    reason: 'conflict',
    message: 'This export has no archive: it is running, has failed, or has expired.',
    meaning: 'The export has no archive that can be downloaded.',
    fix: 'Wait until its status is `completed`, or request another export.',
  },
  download_link_not_found: {
    reason: 'missing',
    message: 'This download link is unknown, was used, or has expired. Create another one.',
    meaning: 'The download link is unknown, was used, or has expired.',
    fix: 'Create another one with POST /api/workspaces/{id}/export/{exportId}/download.',
  },
} as const satisfies ErrorEntries
