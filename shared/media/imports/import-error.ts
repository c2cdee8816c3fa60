/** A file could not be fetched. The message is a sentence for the author; it names the host and not the whole address. */
export class ImportError extends Error {
  override name = 'ImportError'
  /** Whether another try can succeed. */
  readonly isTemporary: boolean
  /** Whether the server was too slow: such a try holds a worker for long, so there are fewer of them. */
  readonly isSlow: boolean

  constructor(message: string, { isTemporary, isSlow = false }: { isTemporary: boolean; isSlow?: boolean }) {
    super(message)
    this.isTemporary = isTemporary
    this.isSlow = isSlow
  }
}
