/** A file could not be fetched. The message is a sentence for the author; it names the host and not the whole address. */
export class ImportError extends Error {
  override name = 'ImportError'
  /** Whether another try can succeed. */
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary }: { isTemporary: boolean }) {
    super(message)
    this.isTemporary = isTemporary
  }
}
