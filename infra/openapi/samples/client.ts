import type { SampledCall } from './call.ts'

const widest = 90

const quoted = (text: string) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A JSON value as a literal, on one line if it fits. */
const literal = (value: unknown, indent = '', taken = indent.length): string => {
  if (value === '$WORKSPACE') return 'WORKSPACE'
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const isList = Array.isArray(value)
  const parts = isList
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([key, each]) => `${/^\w+$/.test(key) ? key : quoted(key)}: ${literal(each, inner)}`)
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${parts.join(', ')}${close}`
  if (taken + line.length <= widest && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close.trim()}`
}

/** The call as a module of TypeScript, by the client package. */
export const inClient = ({ operation, token, workspace, args }: SampledCall): string => {
  const usesWorkspace = workspace || args.includes('$WORKSPACE')
  const variables = ['BASE', ...(token === null ? [] : [token]), ...(usesWorkspace ? ['WORKSPACE'] : [])]
  const options = [
    'baseUrl: BASE',
    ...(token === null ? [] : [`token: ${token}`]),
    ...(workspace ? ['workspaceId: WORKSPACE'] : []),
  ]
  const start = `const result = await client.${operation}(`
  return [
    "import { createClient } from 'social-publishing-client'",
    '',
    `const { ${variables.map((name) => `${name} = ''`).join(', ')} } = process.env`,
    `const client = createClient({ ${options.join(', ')} })`,
    '',
    `${start}${args.map((each) => literal(each, '', start.length)).join(', ')})`,
    'console.log(result)',
  ].join('\n')
}
