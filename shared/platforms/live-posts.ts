interface LiveEdit {
  /** The fields of the block `metadata.<platform>` that can change, in addition to the text. */
  fields: readonly string[]
  /** Why a post with media cannot be edited; absent if it can. */
  withMedia?: string
  /** Fields of the block, or values of them, whose posts cannot be edited, each with the reason. */
  withField?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/**
 * What a platform lets the service do with live posts. Separate from the definition, whose rules are ten times as large as
 * the routes that need this.
 */
export interface LivePosts {
  /** How posts are edited (`PlatformAdapter.edit`); otherwise why not. */
  edit: LiveEdit | string
  /** Whether posts are deleted (`PlatformAdapter.remove`); otherwise why not. */
  deletion: true | string
}

/** Why a post with a metadata block cannot be edited; undefined if it can. */
export const whyNotEditable = (
  { withField = {} }: LiveEdit,
  block: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, reasons] of Object.entries(withField)) {
    const reason = typeof reasons === 'string' ? reasons : reasons[String(block[name])]
    if (Object.hasOwn(block, name) && reason !== undefined) return reason
  }
  return undefined
}
