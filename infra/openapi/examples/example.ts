import type { HttpEndpoint } from '../../../shared/access/endpoint.ts'

type Scalar = string | number | boolean

type Params<P> = string extends keyof P ? unknown : { params: P }
type Query<Q> = string extends keyof Q ? unknown : { query?: { [Name in keyof Q]?: Scalar } }
type Request<B> = [B] extends [undefined]
  ? unknown
  : {
      request: NonNullable<B>
      /** More bodies by name, each with a sentence; the service accepts every one. */
      others?: Readonly<Record<string, { summary: string; value: NonNullable<B> }>>
    }

/** An example call of an operation. IDs and other values that only a run can know come from `story`. */
type ExampleOf<E> =
  E extends HttpEndpoint<infer _A, infer P, infer Q, infer B, infer _D>
    ? object & Params<P> & Query<Q> & Request<B>
    : never

/** An example for each operation of a group; an operation without one does not compile. */
export type ExamplesOf<Group> = { readonly [Action in keyof Group]: ExampleOf<Group[Action]> }

/** An example without the types of its operation. */
export interface Example {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, Scalar>>
  request?: unknown
  others?: Readonly<Record<string, { summary: string; value: unknown }>>
}
