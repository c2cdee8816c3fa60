import type { SampledCall } from './call.ts'

const indented = (text: string) => text.replaceAll('\n', '\n  ')

/** The call as a module of Node.js, without dependencies. */
export const inNode = ({ method, path, token, workspace, idempotent, body }: SampledCall): string => {
  const usesWorkspace = workspace || path.includes('$WORKSPACE')
  const variables = ['BASE', ...(token === null ? [] : [token]), ...(usesWorkspace ? ['WORKSPACE'] : [])]
  const headers = [
    ...(token === null ? [] : [`Authorization: \`Bearer \${${token}}\`,`]),
    ...(workspace ? ["'X-Workspace-Id': WORKSPACE,"] : []),
    ...(idempotent ? ["'Idempotency-Key': crypto.randomUUID(),"] : []),
    ...(body === undefined ? [] : ["'Content-Type': 'application/json',"]),
  ]
  return [
    `const { ${variables.join(', ')} } = process.env`,
    '',
    `const response = await fetch(\`\${BASE}${path.replaceAll('$WORKSPACE', `\${WORKSPACE}`)}\`, {`,
    `  method: '${method}',`,
    ...(headers.length === 0 ? [] : ['  headers: {', ...headers.map((line) => `    ${line}`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
    '})',
    'console.log(response.status, await response.text())',
  ].join('\n')
}
