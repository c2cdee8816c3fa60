import type { CredentialLifecycle } from '../connector.ts'

/** A key never expires, and nothing revokes it: who has it is the account. */
export const nostr: CredentialLifecycle = {}
