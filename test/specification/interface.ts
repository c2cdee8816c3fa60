import { routes as specified } from './spec/routes.mjs'

interface Described {
  method: string
  path: string
  status: string
}

/** For each route of the specification its success, and the failures that are common to all or listed next to it. */
export const described: readonly Described[] = specified.flatMap(({ method, path, status, scope, workspace, plan }) => {
  const isGuarded = scope !== 'public'
  const canBeMissing = path.includes('{id}') && !path.startsWith('/api/workspaces')
  const statuses = [
    ...[String(status), '429'],
    ...(isGuarded ? ['401', '403'] : []),
    ...(workspace ? ['400'] : []),
    ...(plan ? ['402'] : []),
    ...(canBeMissing ? ['404'] : []),
  ]
  return statuses.map((status) => ({ method, path, status }))
})
