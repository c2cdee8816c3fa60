import type { Contract } from './contract.ts'

/** Whether a repeated call would do it twice: a route that makes something, or takes work on. */
export const isIdempotent = ({ method, status }: Pick<Contract, 'method' | 'status'>): boolean =>
  method === 'POST' && (status === 201 || status === 202)
