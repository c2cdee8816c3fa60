import type { Contract } from './contract.ts'

/** Whether a repeated call would have its effect twice: a route that creates a resource, or accepts work. */
export const isIdempotent = ({ method, status }: Pick<Contract, 'method' | 'status'>): boolean =>
  method === 'POST' && (status === 201 || status === 202)
