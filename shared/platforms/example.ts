/** A platform's examples in the API reference. */
export interface PlatformExample {
  /** The ID of an account there. */
  account: string
  /** A valid post with metadata; absent if the platform takes none. */
  post?: {
    /** A short description of its metadata. */
    shows: string
    file?: 'picture' | 'video'
    metadata: Readonly<Record<string, unknown>>
  }
}
