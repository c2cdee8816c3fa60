import type { Contract } from './contract.ts'

/**
 * Whether a repeated call would have its effect twice: a route that creates a resource, accepts work, or is charged for.
 */
export const isIdempotent = ({
  method,
  status,
  idempotent,
}: Pick<Contract, 'method' | 'status' | 'idempotent'>): boolean =>
  method === 'POST' && (status === 201 || status === 202 || idempotent === true)
