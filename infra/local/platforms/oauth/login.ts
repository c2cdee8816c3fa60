/** A user who can approve a login on a stand-in's page. */
export interface Login {
  readonly id: string
  readonly name: string
}
