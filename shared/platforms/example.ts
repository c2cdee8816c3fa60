/** What the examples of the API reference have for a platform. */
export interface PlatformExample {
  /** The ID of an account there. */
  account: string
  /** A valid post with metadata; absent where the platform takes none. */
  post?: {
    /** A short description of its metadata. */
    shows: string
    file?: 'picture' | 'video'
    metadata: Readonly<Record<string, unknown>>
  }
}
