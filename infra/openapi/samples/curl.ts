import type { SampledCall } from './call.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a command of a shell. */
export const inCurl = ({ method, path, token, workspace, idempotent, body }: SampledCall): string =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$BASE${path}"`,
    ...(token === null ? [] : [`-H "Authorization: Bearer $${token}"`]),
    ...(workspace ? ['-H "X-Workspace-Id: $WORKSPACE"'] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(date +%s)-$RANDOM"'] : []),
    ...(body === undefined
      ? []
      : ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
