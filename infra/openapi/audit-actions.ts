import { auditActions } from '../../shared/audit/actions.ts'

/** The actions of the audit trail as a Markdown table. */
export const auditActionTable = (): string =>
  [
    '## Actions',
    '',
    '| Action | Meaning |',
    '| --- | --- |',
    ...Object.entries(auditActions).map(([action, meaning]) => `| \`${action}\` | ${meaning} |`),
  ].join('\n')
