import * as z from 'zod/mini'
import type { Call, PublicPost, Route, SimulatorContext } from '../standin.ts'
import { newId, timestampOf } from './containers.ts'
import { showPage } from './pages.ts'
import { pickFields, readForm } from './read.ts'

interface StoredComment {
  id: string
  object: string
  account: string
  text: string
  publishedAt: number
}

interface CommentRules {
  readonly version: string
  /** The account that a call is made for, which owns the object and may comment; refuses the call otherwise. */
  ownerOf(call: Call, object: string): string
  /** The fields of a comment as the platform names them. */
  show(comment: StoredComment & { time: string }): Readonly<Record<string, unknown>>
  nameOf(account: string): string
  urlOf(object: string): string
}

const CommentForm = z.strictObject({ message: z.string().check(z.minLength(1), z.maxLength(8000)) })

/** Comments of accounts under their own posts. */
export function openComments(context: SimulatorContext, rules: CommentRules) {
  const comments = context.keep<StoredComment>('comments')
  const path = `/${rules.version}/:object/comments`
  const shown = (comment: StoredComment) => rules.show({ ...comment, time: timestampOf(comment.publishedAt) })

  function owner(call: Call) {
    const { object = '' } = call.params
    return { account: rules.ownerOf(call, object), object }
  }
  const routes: Route[] = [
    {
      method: 'POST',
      path,
      operation: 'comment',
      answer(call) {
        const { account, object } = owner(call)
        const { message } = readForm(call, CommentForm)
        const comment = { id: newId(), object, account, text: message.trim(), publishedAt: context.clock.now() }
        comments.set(comment.id, comment)
        return { status: 200, body: pickFields(call, { id: comment.id, ...shown(comment) }) }
      },
    },
    {
      method: 'GET',
      path,
      operation: 'comments',
      answer(call) {
        const { object } = owner(call)
        const own = comments.values().filter((comment) => comment.object === object)
        return showPage(context, call, own.toReversed(), (comment) => ({ id: comment.id, ...shown(comment) }))
      },
    },
  ]
  return {
    routes,
    posts: (): PublicPost[] =>
      comments.values().map(({ account, text, object, publishedAt }) => ({
        account: rules.nameOf(account),
        text,
        media: [],
        replyTo: rules.urlOf(object),
        url: rules.urlOf(object),
        publishedAt,
      })),
  }
}
