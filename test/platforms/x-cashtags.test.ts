import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkPost } from '../../shared/platforms/rules/check-post.ts'
import { x as connector } from '../../shared/platforms/x/connect.ts'
import { cashtagsIn, definition } from '../../shared/platforms/x/definition.ts'
import { x } from '../../shared/platforms/x/publish.ts'
import { failureOf } from './site.ts'
import { visit } from './visit.ts'

const { platforms, open, commit } = await visit(x, connector)

/** A text needs no preparation but one empty step. */
const publish = async (text: string) => {
  const call = await open({ text })
  const first = await x.prepare?.(call, undefined)
  const done = first && 'resume' in first ? await x.prepare?.(call, first.resume) : first
  if (!done || !('ready' in done)) throw new Error('never ready')
  return commit(call, done.ready)
}

const issuesOf = (content: string) =>
  checkPost(definition, { socialAccountId: 'acc', content, metadata: undefined, media: [] })

test('validation rejects a second cashtag, as X does', async () => {
  const two = '$TSLA is up, $BRK.A is not'
  expect(issuesOf(two)).toEqual([
    {
      field: 'content',
      socialAccountId: 'acc',
      platform: 'x',
      code: 'cashtag_limit',
      message: 'X: 2/1 cashtags.',
      next: 'Remove 1 of them, or write them without the dollar sign.',
    },
  ])
  expect(await failureOf(publish(two))).toMatchObject({
    errorClass: 'invalid',
    message: 'X rejected the post: Posts are limited to a maximum of one cashtag.',
  })
  const one = 'TSLA is up, $BRK.A is not'
  expect(issuesOf(one)).toEqual([])
  await publish(one)
  expect(platforms.published().map(({ text }) => text)).toEqual([one])
})

test.each([
  ['$TSLA and $tsla', ['$TSLA', '$tsla']],
  ['$BRK.A, $BRK_AB; ($A)', ['$BRK.A', '$BRK_AB']],
  ['$5 US$ 1$A $TOOLONGS $ÄÖ $ $$A', []],
  ['$A\n$B\u3000$C.', ['$A', '$B', '$C']],
])('cashtags in %j', (text, expected) => {
  expect(cashtagsIn(text)).toEqual(expected)
})

test('finds cashtags in linear time', () => {
  const part = fc.constantFrom('$', 'a', 'TSLA', '.', '_', ' ', '\n', '1', 'ä', '(', ',')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
      const text = parts.join('')
      // A blank in between keeps two texts from making, or breaking, a cashtag.
      expect(cashtagsIn(`${text} ${text}`)).toEqual([...cashtagsIn(text), ...cashtagsIn(text)])
    }),
  )
  for (const piece of ['$a', '$', ' $a.', 'a$']) {
    const startMs = performance.now()
    cashtagsIn(piece.repeat(500_000 / piece.length))
    expect(performance.now() - startMs).toBeLessThan(1000)
  }
})
