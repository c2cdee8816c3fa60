/**
 * A stored row that this release cannot read: a newer one wrote it, before a rollback or during a deployment. HTTP returns
 * 409, lists leave the row out, and a worker leaves it to the release that can read it.
 */
export class UnreadableRow extends Error {
  override name = 'UnreadableRow'
  /** `row` identifies the row by its key and type; `fields` are those that it does not know. */
  constructor(row: string, fields: readonly string[]) {
    super(`the row ${row} has unknown values: ${fields.join(', ')}`)
  }
}
