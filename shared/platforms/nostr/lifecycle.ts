import type { CredentialLifecycle } from '../connector.ts'

/** A key never expires, and cannot be revoked. */
export const nostr: CredentialLifecycle = {}
