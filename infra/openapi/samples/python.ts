import type { SampledCall } from './call.ts'

const constants = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])

/** A JSON value as a literal of Python. */
const literal = (value: unknown, indent: string): string => {
  const inner = `${indent}    `
  if (Array.isArray(value)) {
    return `[\n${value.map((each) => `${inner}${literal(each, inner)},\n`).join('')}${indent}]`
  }
  if (typeof value !== 'object' || value === null) return constants.get(value) ?? JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, each]) => `${inner}${JSON.stringify(key)}: ${literal(each, inner)},\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

/** The call as a Python 3 script, with the standard library. */
export const inPython = ({ method, path, token, workspace, idempotent, body }: SampledCall): string => {
  const [before = '', after] = path.split('$WORKSPACE')
  const tail = after === undefined ? '' : ` + os.environ["WORKSPACE"]${after === '' ? '' : ` + "${after}"`}`
  const headers = [
    ...(token === null ? [] : [`"Authorization": "Bearer " + os.environ["${token}"],`]),
    ...(workspace ? ['"X-Workspace-Id": os.environ["WORKSPACE"],'] : []),
    ...(idempotent ? ['"Idempotency-Key": str(uuid.uuid4()),'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json",']),
  ]
  return [
    ...(body === undefined ? [] : ['import json']),
    'import os',
    'import urllib.request',
    ...(idempotent ? ['import uuid'] : []),
    '',
    'request = urllib.request.Request(',
    `    os.environ["BASE"] + "${before}"${tail},`,
    `    method="${method}",`,
    ...(headers.length === 0 ? [] : ['    headers={', ...headers.map((line) => `        ${line}`), '    },']),
    ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, '    ')}).encode(),`]),
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}
