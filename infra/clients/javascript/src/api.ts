// In the repository, the types come from the contracts. In the package, this file is generated from the OpenAPI document
// (infra/clients/javascript/build/types.ts), with names and descriptions.
import type * as api from '../../../../functions/api/index.ts'
import type { HttpEndpoint } from '../../../../shared/access/endpoint.ts'
import type { ErrorCode as Code } from '../../../../shared/errors/catalog.ts'
import type { Raw } from '../../../../shared/http/reply.ts'
import type { ApiCall, CallOptions, ListCall, Page } from './options.ts'

export type ErrorCode = Code

type IsUnion<T, All = T> = T extends unknown ? ([All] extends [T] ? false : true) : never
type Ids<P> = string extends keyof P ? [] : IsUnion<keyof P> extends true ? [string, string] : [P[keyof P] & string]

/** Queries are numbers and booleans to a program, and text on the wire. */
type Query<Q> = { [Name in keyof Q]?: Q[Name] | string | number | boolean | undefined }

/** A route without a query, or body, has the endpoint's defaults: an empty record, and undefined. */
type Payload<Q, B> = [B] extends [undefined]
  ? string extends keyof Q
    ? []
    : [query?: Query<Q>]
  : object extends B
    ? [body?: B]
    : [body: B]

/** A route with a body takes its query, if it has one, among the options. */
type Options<Q, B> = CallOptions &
  ([B] extends [undefined] ? object : string extends keyof Q ? object : { query?: Query<Q> })

type Args<P, Q, B> = [...ids: Ids<P>, ...payload: Payload<Q, B>, options?: Options<Q, B>]

type MethodOf<E> =
  E extends HttpEndpoint<infer _A, infer P, infer Q, infer B, infer D>
    ? D extends Raw
      ? (...args: Args<P, Q, B>) => ApiCall<unknown>
      : D extends Page<unknown>
        ? ListCall<Args<P, Q, B>, D>
        : (...args: Args<P, Q, B>) => ApiCall<D>
    : never

type Api = typeof api

export type Operations = { [Group in keyof Api]: { [Name in keyof Api[Group]]: MethodOf<Api[Group][Name]> } }

type DataOf<E> = E extends HttpEndpoint<infer _A, infer _P, infer _Q, infer _B, infer D> ? D : never

export type Post = DataOf<Api['posts']['get']>
export type MediaAsset = DataOf<Api['media']['get']>
export type ReceivedEvent = DataOf<Api['webhooks']['listEventLog']>['items'][number]
