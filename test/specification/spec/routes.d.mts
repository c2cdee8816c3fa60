/** A route as the specification names it; `routes.mjs` says what each member means. */
export interface SpecifiedRoute {
  method: string
  path: string
  scope: string | null
  status: number
  workspace: boolean
  role: 'admin' | 'member'
  plan: boolean
}

export const routes: readonly SpecifiedRoute[]
